package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.bench.Scenario.ScenarioSize;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.runtime.BoundedWait;

/** Tables with global indexes beside tables with as many local ones, all in one stack; one table works at a time. */
final class PlacementsSuite {
    private static final List<Integer> NUMBERS = List.of(0, 1, 4);
    private static final String GLOBAL = "global";
    private static final String LOCAL = "local";
    private static final String GLOBAL_INDEX = "all, scope: global, partitions: 4";

    /** The table over which indexes are built. */
    private static final String BUILT = "built";

    private PlacementsSuite() {}

    /** What is measured of a table with a number of indexes. */
    private enum Kind {
        LOAD("bulk load of new rows", "rows/s"),
        PUT("single-row PUT of another key, one connection, median", "ms"),
        OUTBOX_NEW("outbox, a new row", "bytes"),
        TOPICS_NEW("topics, a new row of a bulk load", "bytes"),
        OUTBOX_MOVED("outbox, a row with another key", "bytes"),
        TOPICS_MOVED("topics, a row with another key, one connection", "bytes");

        private final String label;
        private final String unit;

        Kind(String label, String unit) {
            this.label = label;
            this.unit = unit;
        }

        Figure with(int indexes) {
            String number = switch (indexes) {
                case 0 -> "no index: ";
                case 1 -> "1 index: ";
                default -> indexes + " indexes: ";
            };
            return new Figure(name().toLowerCase(Locale.ROOT) + "_" + indexes, number + label, unit);
        }
    }

    /** What comes out of each round. */
    static List<Figure> figures() {
        Stream<Figure> ofTables =
                Stream.of(Kind.values()).flatMap(kind -> NUMBERS.stream().map(kind::with));
        Stream<Figure> others = Stream.of(
                Figure.VISIBLE_CALM, Figure.VISIBLE_CALM_P99, Figure.VISIBLE, Figure.VISIBLE_P99, Figure.BUILT);
        return Stream.concat(ofTables, others).toList();
    }

    /**
     * The tables with global indexes.
     *
     * @param outbox returns the bytes of each change in the outbox of a backup, in commit order
     */
    static Contender global(ScenarioContext context, Function<Path, List<Integer>> outbox) throws Exception {
        context.stack().tidemark(BUILT).load(CustomerRow.table(context.size().rows()));
        return contender(GLOBAL, context, outbox);
    }

    /** The tables with local indexes. */
    static Contender local(ScenarioContext context, Function<Path, List<Integer>> outbox) {
        return contender(LOCAL, context, outbox);
    }

    /** The text of the catalog with all tables. */
    static String catalog() {
        StringBuilder yaml = new StringBuilder("tables:\n").append(IndexesBenchmark.table(BUILT, "", 0));
        for (int indexes : NUMBERS) {
            yaml.append(IndexesBenchmark.table(LOCAL + "_" + indexes, "all", indexes));
            yaml.append(IndexesBenchmark.table(GLOBAL + "_" + indexes, GLOBAL_INDEX, indexes));
        }
        return yaml.toString();
    }

    /** The text of a catalog with the usual table, whose indexes are global. */
    static String catalog(int indexes) {
        return "tables:\n" + IndexesBenchmark.table("customers", GLOBAL_INDEX, indexes);
    }

    private static Contender contender(String scope, ScenarioContext context, Function<Path, List<Integer>> outbox) {
        List<PlacedTable> tables = NUMBERS.stream()
                .map(indexes -> new PlacedTable(scope, indexes, context, outbox))
                .toList();
        TidemarkTarget built = context.stack().tidemark(BUILT);
        return () -> {
            Map<Figure, Double> found = new HashMap<>();
            for (PlacedTable table : tables) {
                table.measure(found);
            }
            Duration took = built.build(IndexBuilder.IndexShape.ALL, scope.equals(GLOBAL));
            built.drop();
            found.put(Figure.BUILT, took.toNanos() / 1e9);
            return found;
        };
    }

    /** A table with a number of indexes of one scope, which grows in each round. */
    private static final class PlacedTable {
        private static final Duration PATIENCE = Duration.ofMinutes(5);
        private static final Duration STEP = Duration.ofMillis(20);

        /** Far from the numbers of other changes, so that each gives a row other keys. */
        private static final long FIRST_CHANGE = 1_000_000;

        private final String name;
        private final int indexes;
        private final BenchStack stack;
        private final ScenarioSize size;
        private final Function<Path, List<Integer>> outbox;
        private final TidemarkTarget target;
        private final ServiceCaller writer;
        private final Clock clock;
        private final TidemarkLoop loop;
        private int loaded;
        private long changes = FIRST_CHANGE;

        PlacedTable(String scope, int indexes, ScenarioContext context, Function<Path, List<Integer>> outbox) {
            this.name = scope + "_" + indexes;
            this.indexes = indexes;
            this.stack = context.stack();
            this.size = context.size();
            this.outbox = outbox;
            this.target = stack.tidemark(name);
            this.writer = stack.writer(PATIENCE);
            this.clock = stack.clock();
            this.loop = new TidemarkLoop(target, clock, size.rows(), scope.equals(GLOBAL) ? 2 : 1);
        }

        void measure(Map<Figure, Double> found) throws Exception {
            List<CustomerRow> rows = IntStream.range(loaded, loaded + size.rows())
                    .mapToObj(CustomerRow::ofRow)
                    .toList();
            loaded += rows.size();
            long before = topicBytes();
            Instant begin = clock.instant();
            target.loadAll(rows.stream());
            found.put(
                    Kind.LOAD.with(indexes),
                    rows.size() * 1e9 / Duration.between(begin, clock.instant()).toNanos());
            settle();
            long between = topicBytes();
            List<Long> puts = puts();
            settle();
            found.put(Kind.PUT.with(indexes), Numbers.quantile(puts, 0.5) / 1e6);
            found.put(Kind.TOPICS_NEW.with(indexes), (double) (between - before) / rows.size());
            found.put(Kind.TOPICS_MOVED.with(indexes), (double) (topicBytes() - between) / puts.size());
            List<Integer> sizes = outboxSizes();
            int put = sizes.size() - puts.size();
            found.put(Kind.OUTBOX_NEW.with(indexes), mean(sizes.subList(Math.max(0, put - rows.size()), put)));
            found.put(Kind.OUTBOX_MOVED.with(indexes), mean(sizes.subList(put, sizes.size())));
            if (indexes == 1) {
                found.putAll(loop.visibility(size.time()));
            }
        }

        private static double mean(List<Integer> sizes) {
            return sizes.stream().mapToInt(Integer::intValue).average().orElse(Double.NaN);
        }

        /** The nanoseconds of single PUTs, one after the other, of rows of the first load. */
        private List<Long> puts() {
            List<Long> times = new ArrayList<>();
            Instant end = clock.instant().plus(size.time());
            for (Instant begin = clock.instant(); begin.isBefore(end); begin = clock.instant()) {
                target.put(CustomerRow.ofChange(changes++, size.rows())).join();
                times.add(Duration.between(begin, clock.instant()).toNanos());
            }
            return times;
        }

        /** Waits until topics and indexes have everything. */
        private void settle() throws Exception {
            if (!BoundedWait.until(this::isPublished, PATIENCE, STEP)) {
                throw new BenchException("the changes of " + name + " were not published within " + PATIENCE);
            }
            // Loading nothing waits for the indexes.
            target.load(Stream.empty());
        }

        private boolean isPublished() {
            try {
                return writer.get("/v1/lag")
                        .json()
                        .path("outbox")
                        .valueStream()
                        .filter(one -> one.path("table").asText().equals(name))
                        .anyMatch(one -> one.path("pendingRecords").asLong() == 0);
            } catch (IOException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** The bytes of the topic of the table and of those of its global indexes, as the broker stores them. */
        private long topicBytes() throws IOException {
            Path data = stack.services().settings().directory(Role.BROKER).resolve("data");
            long bytes = 0;
            try (DirectoryStream<Path> partitions =
                    Files.newDirectoryStream(data, ChangeTopic.nameFor(name) + "[-.]*")) {
                for (Path partition : partitions) {
                    try (DirectoryStream<Path> logs = Files.newDirectoryStream(partition, "*.log")) {
                        for (Path log : logs) {
                            bytes += Files.size(log);
                        }
                    }
                }
            }
            return bytes;
        }

        private List<Integer> outboxSizes() throws Exception {
            ServiceCaller.Reply made = writer.call("POST", "/v1/backup", Map.of(), new byte[0]);
            if (!made.ok()) {
                throw new BenchException("a backup was answered " + made);
            }
            try (ScratchDirectory backup =
                    new ScratchDirectory(Path.of(made.json().path("path").asText()))) {
                return outbox.apply(backup.path());
            }
        }
    }
}
