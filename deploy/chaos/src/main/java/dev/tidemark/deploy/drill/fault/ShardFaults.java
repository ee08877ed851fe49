package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;

/** Harm to the files of a worker's shards. The worker is killed before. */
record ShardFaults(ProcessSupervisor supervisor, Random random) {
    private static final String MARK = "CURRENT";
    private static final int MOST_TORN = 2_000;

    /** A log or table file is missing when the worker comes back. False where there is none. */
    boolean loseFile() throws InterruptedException {
        return supervisor.kill(Role.WORKER, Instant.MIN)
                && anyFile().map(ShardFaults::removed).isPresent();
    }

    /** A shard is missing when the worker comes back, and is built from a topic that changes below it. */
    Fault shardGone(Fault compaction) {
        return Fault.lasting(
                (role, now) -> {
                    boolean begun = compaction.begin(role, now);
                    if (begun && supervisor.kill(Role.WORKER, Instant.MIN)) {
                        any(file -> file.endsWith(MARK)).map(Path::getParent).ifPresent(ShardFaults::removed);
                    }
                    return begun;
                },
                compaction::end);
    }

    /** The worker is away while tombstones go, and is back before they are kept for longer again. */
    Fault lateForDeletes(Fault compaction) {
        return Fault.lasting(
                (role, now) -> {
                    boolean begun = compaction.begin(role, now);
                    if (begun) {
                        supervisor.kill(Role.WORKER, Instant.MAX);
                    }
                    return begun;
                },
                now -> {
                    supervisor.mayComeBack(Role.WORKER);
                    return supervisor.isReady() && compaction.end(now);
                });
    }

    /**
     * Damages a log or table file, as a power cut or a bad disk would.
     *
     * @return what was done to which file; empty where there is nothing to damage
     */
    Optional<String> damage() throws InterruptedException {
        return supervisor.kill(Role.WORKER, Instant.MIN) ? anyFile().map(this::damaged) : Optional.empty();
    }

    private String damaged(Path damaged) {
        try (RandomAccessFile file = new RandomAccessFile(damaged.toFile(), "rw")) {
            long length = file.length();
            if (random.nextBoolean()) {
                long left = Math.max(0, length - 1 - random.nextInt(MOST_TORN));
                file.setLength(left);
                return damaged + " torn from " + length + " to " + left + " bytes";
            }
            long at = (long) (random.nextDouble() * length);
            file.seek(at);
            int value = file.read();
            file.seek(at);
            file.write(value ^ 1);
            return damaged + ": a bit flipped at " + at + " of " + length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<Path> anyFile() {
        String ending = random.nextBoolean() ? ".log" : ".sst";
        return any(file -> file.toString().endsWith(ending) && file.toFile().length() > 0);
    }

    private Optional<Path> any(Predicate<Path> wanted) {
        try (Stream<Path> files = Files.walk(supervisor.dataOf(Role.WORKER))) {
            List<Path> found = files.filter(wanted).sorted().toList();
            return found.isEmpty() ? Optional.empty() : Optional.of(found.get(random.nextInt(found.size())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path removed(Path gone) {
        try {
            new ScratchDirectory(gone).close();
            return gone;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
