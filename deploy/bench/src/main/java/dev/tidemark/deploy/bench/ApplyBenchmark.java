package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.stack.Role;

/** Following a full topic, beside Kafka Streams, a plain loop and RocksDB alone. */
public final class ApplyBenchmark {
    private ApplyBenchmark() {}

    /**
     * The command and the measurement.
     *
     * @param commands start the baselines
     */
    public static Benchmark benchmark(BaselineCommands commands) {
        return new Benchmark(
                "apply",
                """
                Measures how fast an index follows a topic that is full, from nothing to caught up.
                Each system makes the same index from the same topic, in turn, in a separate process: an index on \
                town and last name that carries the whole row.
                """,
                """

                A rate counts from the first change to the last; the start of the process is not in it.

                Example:
                  tidemark bench apply --quick
                """,
                false,
                List.of(
                        Arguments.flag("--quick", "200,000 changes, two rounds; ratios are less certain."),
                        Arguments.number("--changes", 1, "1000000", "Changes in the topic, over 200,000 rows"),
                        Arguments.number("--rounds", 1, "5", "How often each follows")),
                arguments -> prepare(arguments, commands));
    }

    private static Benchmark.Measurement prepare(Arguments arguments, BaselineCommands commands) {
        int changes = arguments.get("--changes", 0);
        int rounds = arguments.get("--rounds", 0);
        return arguments.quick()
                ? bench -> run(200_000, 2, commands, bench)
                : bench -> run(changes, rounds, commands, bench);
    }

    private static Report run(int changes, int rounds, BaselineCommands commands, Bench bench) throws Exception {
        Machine machine = Machine.here(bench.clock());
        try (BenchStack stack = BenchStack.start(bench, "", BenchStack::keepingRecords)) {
            StackWorker worker = StackWorker.behind(changes, stack);
            bench.progress().accept(Numbers.whole(changes) + " changes are in the topic");
            DiskMeter disk = new DiskMeter(changes);
            Map<String, Contender> contenders = new LinkedHashMap<>();
            contenders.put(Contender.TIDEMARK, () -> {
                double rate = worker.follow(changes).perSecond();
                disk.look(stack.services().settings().directory(Role.WORKER), worker.reported("io"));
                worker.end();
                return Map.of(Figure.FOLLOWED, rate);
            });
            for (ApplyBaseline baseline : commands.available(stack.installation())) {
                contenders.put(baseline.label(), () -> {
                    Path directory = Files.createTempDirectory(stack.directory(), baseline.name() + "-");
                    double rate =
                            commands.follow(baseline, changes, stack, directory).perSecond();
                    return Map.of(Figure.FOLLOWED, rate);
                });
            }
            Rounds found = Rounds.run("apply", 0, rounds, contenders, Figure::text, bench.progress());
            return report(machine, changes, rounds, found, disk);
        }
    }

    /**
     * How fast Tidemark and the baselines followed.
     *
     * @param found those that took part; Tidemark is one of them
     * @param disk bytes that Tidemark's worker keeps and writes
     */
    static Report report(Machine machine, int changes, int rounds, Rounds found, DiskMeter disk) {
        RoundSpread tidemark = found.spread(Contender.TIDEMARK, Figure.FOLLOWED);
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(Contender.TIDEMARK, tidemark.text(Numbers::whole, ""), ""));
        List<String> leftOut = new ArrayList<>();
        Report report = new Report("apply", machine, machine.heading(changes, rounds));
        ObjectNode json = report.json().put("changes", changes).put("rounds", rounds);
        json.set("tidemark", tidemark.json("PerSecond"));
        for (ApplyBaseline baseline : ApplyBaseline.values()) {
            if (!found.byName().containsKey(baseline.label())) {
                leftOut.add(baseline.label() + ": left out, because " + BaselineCommands.REMEDY);
                continue;
            }
            RoundSpread spread = found.spread(baseline.label(), Figure.FOLLOWED);
            double ratio = tidemark.median() / spread.median();
            rows.add(List.of(baseline.label(), spread.text(Numbers::whole, ""), Numbers.hundredths(ratio)));
            json.set(
                    baseline.name().toLowerCase(Locale.ROOT),
                    spread.json("PerSecond").put("ratio", ratio));
        }
        putMedian(json, "spaceAmplification", disk.space());
        putMedian(json, "writeAmplification", disk.writes());
        report.table(List.of("system", "changes/s", "Tidemark, times"), rows);
        leftOut.forEach(report::sentence);
        report.items(disk.lines());
        return report;
    }

    /** Puts a median into JSON; a number that is not known is left out. */
    private static void putMedian(ObjectNode json, String name, List<Double> rounds) {
        if (!rounds.isEmpty()) {
            json.put(name, RoundSpread.of(rounds).median());
        }
    }

    /** Compares what a worker keeps and writes with the rows that it got. For one thread. */
    static final class DiskMeter {
        private static final Pattern WRITTEN = Pattern.compile("(?m)^write_bytes: (\\d+)$");

        private final long live;
        private final long applied;
        private final List<Double> space = new ArrayList<>();
        private final List<Double> writes = new ArrayList<>();

        /** @param changes number of changes, from the first on */
        DiskMeter(int changes) {
            Map<Integer, Integer> bytesOfRow = new HashMap<>();
            long all = 0;
            for (int i = 0; i < changes; i++) {
                CustomerRow customer = CustomerRow.ofChange(i);
                bytesOfRow.put(customer.id(), customer.bytes().length + keyBytes(customer));
                all += customer.bytes().length;
            }
            this.live =
                    bytesOfRow.values().stream().mapToLong(Integer::longValue).sum();
            this.applied = all;
        }

        /**
         * Looks at a worker that has caught up.
         *
         * @param directory of all that it keeps
         * @param io its file {@code io} below {@code /proc}; empty where the system has none
         */
        void look(Path directory, String io) throws IOException {
            HeldBytes held = new HeldBytes();
            Files.walkFileTree(directory, held);
            space.add((double) held.sum() / live);
            Matcher written = WRITTEN.matcher(io);
            if (written.find()) {
                writes.add(Double.parseDouble(written.group(1)) / applied);
            }
        }

        /** Bytes on disk for each byte of live entries, a number a round. */
        List<Double> space() {
            return space;
        }

        /** Bytes written for each byte of the rows that were applied; empty where the system does not report them. */
        List<Double> writes() {
            return writes;
        }

        /** For people, a line each. */
        List<String> lines() {
            return List.of(
                    "bytes on disk for each byte of live entries: " + text(space),
                    "bytes written for each byte of rows applied: " + text(writes));
        }

        private static String text(List<Double> rounds) {
            return rounds.isEmpty()
                    ? "not reported by this system"
                    : RoundSpread.of(rounds).text(Numbers::hundredths, "");
        }

        /** Returns the size of town, last name and primary key as text, which the key of an entry has to hold. */
        private static int keyBytes(CustomerRow customer) {
            return (customer.town() + customer.lastName() + customer.id()).getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /**
     * Adds up files whose owner is at work: one that goes while it is looked for, as merged tables do, holds nothing.
     * For one thread.
     */
    static final class HeldBytes extends SimpleFileVisitor<Path> {
        private long sum;

        /** The bytes of all files so far. */
        long sum() {
            return sum;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sum += attributes.isRegularFile() ? attributes.size() : 0;
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }
    }
}
