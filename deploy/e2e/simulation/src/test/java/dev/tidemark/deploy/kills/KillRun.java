package dev.tidemark.deploy.kills;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import dev.tidemark.deploy.drill.machine.MachineException;

/**
 * Many ends of processes that write to one kind of store. Each process checks what the one before it left; a store is
 * begun anew now and then, so that making one is cut off too.
 */
final class KillRun {
    private static final int LIVES_OF_A_STORE = 40;
    private static final int ONE_IN_WHILE_OPENING = 6;
    private static final int ONE_IN_AT_THE_FIRST_BATCH = 4;
    private static final int MOST_MILLIS = 60;

    private final TrialKind kind;
    private final Ending ending;
    private final Path library;
    private final long seed;
    private final Random random;
    private final long start = System.nanoTime();
    private Duration opening = Duration.ofMillis(300);
    private int ends;
    private int whileOpening;
    private int checks;
    private int inFlight;
    private long compared;
    private long acknowledged;

    KillRun(TrialKind kind, Ending ending, Path library, long seed) {
        this.kind = kind;
        this.ending = ending;
        this.library = library;
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** So many ends. After the last of each store, what it left is checked once more. */
    void end(int times) throws IOException, InterruptedException, MachineException {
        for (int store = 1; ends < times; store++) {
            Path home = ending.directory().resolve(kind + "-" + store);
            int last = Math.min(times, ends + 1 + random.nextInt(LIVES_OF_A_STORE));
            long newest = 0;
            while (ends < last) {
                newest = lifecycleState(home, seed + store, newest, random.nextInt(ONE_IN_WHILE_OPENING) == 0);
                ends++;
            }
            lifecycleState(home, seed + store, newest, false);
            remove(home);
        }
    }

    /** Rows, entries and changes that were there and were compared. */
    long compared() {
        return compared;
    }

    /** Batches that a process was told are safe. */
    long acknowledged() {
        return acknowledged;
    }

    /**
     * One process from its start to its end.
     *
     * @param known the newest batch that the one before acknowledged
     * @return the newest one that is acknowledged now
     */
    private long lifecycleState(Path home, long storeSeed, long known, boolean inOpening)
            throws IOException, InterruptedException, MachineException {
        List<String> said;
        // A power cut may have taken it.
        Files.createDirectories(home);
        long began = System.nanoTime();
        try (ProcessUnderTest process = ProcessUnderTest.start(kind, home, library, storeSeed)) {
            if (inOpening) {
                said = ending.end(process, Duration.ofNanos((long) (random.nextDouble() * opening.toNanos())));
            } else {
                process.await(1);
                opening = Duration.ofNanos(System.nanoTime() - began);
                if (random.nextInt(ONE_IN_AT_THE_FIRST_BATCH) > 0) {
                    // However slow the machine is, something is written then.
                    process.await(2);
                }
                said = ending.end(process, Duration.ofMillis(random.nextInt(MOST_MILLIS + 1)));
            }
        }
        if (said.isEmpty()) {
            whileOpening++;
            return known;
        }
        return judged(said, known, storeSeed);
    }

    private long judged(List<String> said, long known, long storeSeed) {
        String[] opened = said.get(0).split(" ", 2);
        long found = Long.parseLong(opened[0]);
        long least = ending.outlives(kind, known);
        if (found < least || found > known + 1) {
            throw new IllegalStateException("Expected " + kind + " of seed " + storeSeed + " to have batch " + least
                    + ", and at most " + (known + 1) + ", but its newest is " + found);
        }
        checks++;
        inFlight += found > known ? 1 : 0;
        compared += Long.parseLong(opened[1]);
        acknowledged += said.size() - 1;
        return found + said.size() - 1;
    }

    private static void remove(Path home) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public String toString() {
        return String.format(
                "%s: %s, seed %d: %d in %.1f s, %d of them while it opened; %d checks of %d rows, entries and"
                        + " changes; %d batches acknowledged, none lost that had to be there; %d cut off and there as a whole",
                ending,
                kind,
                seed,
                ends,
                (System.nanoTime() - start) / 1e9,
                whileOpening,
                checks,
                compared,
                acknowledged,
                inFlight);
    }
}
