package dev.tidemark.deploy.kills;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Many kills of one kind of store. Each process checks what the one before it left; a store is begun anew now and then, so that
 * making one is cut off too.
 */
final class KillRun {
    private static final int LIVES_OF_A_STORE = 40;
    private static final int ONE_IN_WHILE_OPENING = 6;
    private static final int ONE_IN_AT_THE_FIRST_BATCH = 4;
    private static final int MOST_MILLIS = 60;

    private final TrialKind kind;
    private final Path directory;
    private final Path library;
    private final long seed;
    private final Random random;
    private final long start = System.nanoTime();
    private Duration opening = Duration.ofMillis(300);
    private int kills;
    private int whileOpening;
    private int checks;
    private int inFlight;
    private long compared;
    private long acknowledged;

    KillRun(TrialKind kind, Path directory, Path library, long seed) {
        this.kind = kind;
        this.directory = directory;
        this.library = library;
        this.seed = seed;
        this.random = new Random(seed);
    }

    /** So many kills. After the last of each store, what it left is checked once more. */
    void kill(int times) throws IOException, InterruptedException {
        for (int store = 1; kills < times; store++) {
            Path home = Files.createDirectory(directory.resolve(kind + "-" + store));
            int last = Math.min(times, kills + 1 + random.nextInt(LIVES_OF_A_STORE));
            long newest = 0;
            while (kills < last) {
                newest = life(home, seed + store, newest, random.nextInt(ONE_IN_WHILE_OPENING) == 0);
                kills++;
            }
            life(home, seed + store, newest, false);
            remove(home);
        }
    }

    /** Batches that a process was told are safe. */
    long acknowledged() {
        return acknowledged;
    }

    /**
     * One process from its start to its kill.
     *
     * @param known the newest batch that must be there
     * @return the newest batch that must be there afterwards
     */
    private long life(Path home, long storeSeed, long known, boolean inOpening)
            throws IOException, InterruptedException {
        List<String> said;
        long began = System.nanoTime();
        try (Victim victim = Victim.start(kind, home, library, storeSeed)) {
            if (inOpening) {
                said = victim.killAfter(Duration.ofNanos((long) (random.nextDouble() * opening.toNanos())));
            } else {
                victim.await(1);
                opening = Duration.ofNanos(System.nanoTime() - began);
                if (random.nextInt(ONE_IN_AT_THE_FIRST_BATCH) > 0) {
                    // However slow the machine is, something is written then.
                    victim.await(2);
                }
                said = victim.killAfter(Duration.ofMillis(random.nextInt(MOST_MILLIS + 1)));
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
        if (found != known && found != known + 1) {
            throw new IllegalStateException("Expected " + kind + " of seed " + storeSeed + " to have batch " + known
                    + ", and at most the next one too, but its newest is " + found);
        }
        checks++;
        inFlight += (int) (found - known);
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
                "store kills: %s, seed %d: %d kills in %.1f s, %d of them while it opened; %d checks of %d rows, entries and"
                        + " changes; %d batches acknowledged, none lost; %d cut off and there as a whole",
                kind,
                seed,
                kills,
                (System.nanoTime() - start) / 1e9,
                whileOpening,
                checks,
                compared,
                acknowledged,
                inFlight);
    }
}
