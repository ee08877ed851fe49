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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.stack.Role;

/** Following a full topic, beside Kafka Streams, a plain loop and RocksDB alone. */
public final class ApplyBenchmark {
    /** Times the bytes of the rows. */
    static final Figure SPACE = new Figure(
            "spaceAmplification", "bytes on disk for each byte of live entries", "times live entries on disk");

    static final Figure WRITES = new Figure(
            "writeAmplification", "bytes written for each byte of rows applied", "times applied rows written");

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
                (arguments, bench) -> run(arguments, commands, bench));
    }

    private static Report run(Arguments arguments, BaselineCommands commands, Bench bench) throws Exception {
        int changes = arguments.quick() ? 200_000 : arguments.number("--changes");
        int rounds = arguments.quick() ? 2 : arguments.number("--rounds");
        try (BenchStack stack = BenchStack.start(bench, "", BenchStack::keepingRecords)) {
            StackWorker worker = StackWorker.behind(changes, stack);
            bench.progress().accept(Numbers.whole(changes) + " changes are in the topic");
            DiskMeter disk = new DiskMeter(changes);
            Map<String, Contender> contenders = new LinkedHashMap<>();
            contenders.put(Contender.TIDEMARK, () -> {
                double rate = worker.follow(changes).perSecond();
                Map<Figure, Double> found =
                        disk.look(stack.services().settings().directory(Role.WORKER), worker.reported("io"));
                found.put(Figure.FOLLOWED, rate);
                worker.end();
                return found;
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
            return report(bench.machine(), changes, rounds, found);
        }
    }

    /**
     * How fast Tidemark and the baselines followed.
     *
     * @param found those that took part; Tidemark is one of them
     */
    static Report report(Machine machine, int changes, int rounds, Rounds found) {
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
        Optional<RoundSpread> space = found.known(Contender.TIDEMARK, SPACE);
        Optional<RoundSpread> writes = found.known(Contender.TIDEMARK, WRITES);
        space.ifPresent(times -> json.put(SPACE.key(), times.median()));
        writes.ifPresent(times -> json.put(WRITES.key(), times.median()));
        report.table(List.of("system", "changes/s", "Tidemark, times"), rows);
        leftOut.forEach(report::sentence);
        report.items(List.of(line(SPACE, space), line(WRITES, writes)));
        return report;
    }

    private static String line(Figure figure, Optional<RoundSpread> times) {
        return figure.label() + ": "
                + times.map(found -> found.text(Numbers::hundredths, "")).orElse("not reported by this system");
    }

    /** Compares what a worker keeps and writes with the rows that it got. */
    static final class DiskMeter {
        private static final Pattern WRITTEN = Pattern.compile("(?m)^write_bytes: (\\d+)$");

        private final long live;
        private final long applied;

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
         * @return the figures that are known
         */
        Map<Figure, Double> look(Path directory, String io) throws IOException {
            HeldBytes held = new HeldBytes();
            Files.walkFileTree(directory, held);
            Map<Figure, Double> found = new HashMap<>(Map.of(SPACE, (double) held.sum() / live));
            Matcher written = WRITTEN.matcher(io);
            if (written.find()) {
                found.put(WRITES, Double.parseDouble(written.group(1)) / applied);
            }
            return found;
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
