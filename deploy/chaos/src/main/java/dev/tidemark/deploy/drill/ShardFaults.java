package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.tidemark.catalog.TableDefinition;
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
     * Damages a log or table file, as a power cut or a bad disk would. False where there is nothing to damage.
     *
     * @param log gets what was done to which file
     */
    boolean damage(HistoryRecorder.HistoryLog log) throws InterruptedException {
        Optional<String> done =
                supervisor.kill(Role.WORKER, Instant.MIN) ? anyFile().map(this::damaged) : Optional.empty();
        log.add("fault", line -> line.put("damaged", done.orElse("nothing")));
        return done.isPresent();
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

    /** What happens to the topics of some tables. */
    record TopicFaults(TopicTamper tamper, List<TableDefinition> tables) {
        /** A topic takes smaller records than there are. */
        static final Map<String, String> SMALL = Map.of("max.message.bytes", "120");

        /** Every record but the newest ones goes within moments of being replaced. */
        static final Map<String, String> COMPACTED = Map.of(
                "segment.ms", "500",
                "min.cleanable.dirty.ratio", "0.001",
                "min.compaction.lag.ms", "2000",
                "max.compaction.lag.ms", "2500");

        /** The same at once, and tombstones go after a second. */
        static final Map<String, String> FORGETFUL = Map.of(
                "segment.ms", "500",
                "min.cleanable.dirty.ratio", "0.001",
                "min.compaction.lag.ms", "0",
                "max.compaction.lag.ms", "2500",
                "delete.retention.ms", "1000");

        /** The topics have other settings for a while. */
        Fault configured(Map<String, String> settings) {
            Map<TableDefinition, Map<String, String>> before = new LinkedHashMap<>();
            return Fault.lasting(
                    (role, now) -> {
                        try {
                            for (TableDefinition table : tables) {
                                before.put(table, tamper.configure(table, settings));
                            }
                            return true;
                        } catch (TopicTamper.TamperFailedException e) {
                            // What was changed all the same is put right at the end.
                            return !before.isEmpty();
                        }
                    },
                    now -> {
                        for (TableDefinition table : List.copyOf(before.keySet())) {
                            tamper.configure(table, before.getOrDefault(table, Map.of()));
                            before.remove(table);
                        }
                        return true;
                    });
        }

        /**
         * A topic gets one more partition than its table has. Each topic gets one once, because there is no way back.
         */
        Fault morePartitions() {
            Deque<TableDefinition> left = new ArrayDeque<>(tables);
            return (role, now) -> {
                if (left.isEmpty()) {
                    return false;
                }
                tamper.addPartition(left.getFirst());
                left.removeFirst();
                return true;
            };
        }
    }

    /**
     * The worker is away while writes go on, and before it comes back all records of its topics are deleted, read or
     * not. It has to report that, and must not open a shard that has not read them. The writer has to recreate the
     * topics.
     */
    static final class RetentionLoss implements Fault {
        private static final String SAID = " are gone, and it has not read them";

        private final FaultEnvironment.FaultContext context;
        private final SecondWorker.FreshLog log;
        private boolean gone;
        private boolean said;

        RetentionLoss(FaultEnvironment.FaultContext context) {
            this.context = context;
            this.log = new SecondWorker.FreshLog(context.stack().child(Role.WORKER));
        }

        @Override
        public boolean begin(Role role, Instant now) throws InterruptedException {
            gone = false;
            said = false;
            return context.supervisor().kill(Role.WORKER, Instant.MAX);
        }

        @Override
        public boolean end(Instant now) throws InterruptedException {
            if (!gone) {
                for (TableDefinition table : DrillTables.TABLES) {
                    context.tamper().forget(table);
                }
                gone = true;
                log.read();
                context.supervisor().mayComeBack(Role.WORKER);
            }
            said |= log.read().contains(SAID);
            return context.supervisor().isReady();
        }

        @Override
        public boolean hasHit() {
            return said;
        }
    }
}
