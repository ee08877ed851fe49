package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.query.QueryParser;
import dev.tidemark.worker.query.QueryResult;

/**
 * Judges the pages of one index that are read after each other. A page has every partition, or names those that it
 * lacks where the question allows that. It has every row in its part of the index as the row was at the time that the
 * answer states, by the true time too, and as the pages before it and the token ask for, or newer; only rows that it
 * names as quarantined may differ.
 */
final class PagesRead {
    /** Commits of one moment get stamps that are microseconds apart. */
    private static final Duration STAMPS = Duration.ofMillis(1);

    private final AskedBlock block;

    /** By how many partitions there were, and partition, the newest version up to which a page was complete. */
    private final SortedMap<Integer, SortedMap<Integer, RowVersion>> seen = new TreeMap<>();

    private Optional<Spot> last = Optional.empty();

    PagesRead(AskedBlock block) {
        this.block = block;
    }

    /** Where an entry stands in an index, worked out without its key. */
    private record Spot(String value, KeyBytes row) {
        static Spot of(QueryResult.Entry entry) {
            return new Spot(entry.key().get(0).toJson().asText(), entry.primaryKey());
        }

        /** Where a page ended, which may be after its last entry. */
        static Spot of(IndexQuery query, AskedBlock block, String cursor) {
            Map<String, List<String>> given = new HashMap<>(block.conditions());
            given.put("cursor", List.of(cursor));
            try {
                KeyBytes whole = QueryParser.parse(query.index(), given, QueryLimits.USUAL)
                        .after()
                        .orElseThrow();
                return of(QueryResult.Entry.of(query.index(), whole, 0, RowVersion.NONE, KeyBytes.EMPTY));
            } catch (BadInputException | MalformedKeyException e) {
                throw new AssertionError(e);
            }
        }

        /** Values are texts, or numbers of one digit; of {@code big} the highest comes first. */
        static Comparator<Spot> order(String index, Order asked) {
            Comparator<String> values = index.equals("big") ? Comparator.reverseOrder() : Comparator.naturalOrder();
            Comparator<Spot> order = Comparator.comparing(Spot::value, values).thenComparing(Spot::row);
            return asked == Order.ASC ? order : order.reversed();
        }
    }

    /** A page, and what it answers. */
    private record Page(
            Simulation simulation,
            IndexQuery query,
            Optional<ChangeEvent> known,
            QueryResult answer,
            List<Spot> spots,
            Optional<Spot> end) {
        TableDefinition home() {
            return query.index().home();
        }

        History history() {
            return simulation.history(query.index().table().name());
        }

        boolean isByIndex() {
            return DerivedTable.isByIndex(home().name());
        }

        /** The partitions that may have entries of a row, those that the answer lacks left out. */
        Set<Integer> partitions(KeyBytes key) {
            Set<Integer> those = new TreeSet<>(isByIndex() ? query.partitions() : Set.of(home().partitionOf(key)));
            those.removeAll(answer.freshness().missingPartitions());
            return those;
        }

        /** The values of a row that the page shows of a partition. */
        Set<String> found(KeyBytes key, int partition) {
            return spots.stream()
                    .filter(spot -> spot.row().equals(key))
                    .map(Spot::value)
                    .filter(value -> !isByIndex() || isOf(value, key, partition))
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        private boolean isOf(String value, KeyBytes key, int partition) {
            return history().since(key, RowVersion.NONE).stream()
                    .flatMap(event -> event instanceof ChangeEvent.Upserted row ? Stream.of(row.row()) : Stream.empty())
                    .findFirst()
                    .filter(row ->
                            ExpectedEntries.partitionOf(query.index().definition(), value + "|", row) == partition)
                    .isPresent();
        }

        /** The entries of a partition that a row has which was left so by a change. */
        Set<String> entries(ChangeEvent event, int partition) {
            if (!(event instanceof ChangeEvent.Upserted row)) {
                return Set.of();
            }
            ExpectedEntries expected = simulation.expected();
            IndexDefinition index = query.index().definition();
            return isByIndex() ? expected.of(index, row.row(), partition) : expected.of(index, row.row());
        }
    }

    void judge(
            Simulation simulation,
            IndexQuery query,
            Optional<ChangeEvent> known,
            QueryResult answer,
            List<String> violations) {
        Freshness told = answer.freshness();
        if (!query.partial() && !told.missingPartitions().isEmpty()) {
            violations.add("lacks partitions " + told.missingPartitions());
        }
        query.demand()
                .maxStaleness()
                .filter(most ->
                        told.staleness().filter(age -> age.compareTo(most) <= 0).isEmpty())
                .ifPresent(most -> violations.add("of " + told + " is staler than " + most));
        StatedHealth.check(told, query.demand().patience(), violations);
        List<Spot> spots = answer.entries().stream().map(Spot::of).toList();
        Optional<Spot> end = answer.next().map(cursor -> Spot.of(query, block, cursor));
        judgeOrder(query, spots, violations);
        Page page = new Page(simulation, query, known, answer, spots, end);
        for (KeyBytes key : page.history().keys()) {
            if (!AnsweredRow.isExcused(told.quarantined(), key)) {
                for (int partition : page.partitions(key)) {
                    judgeRow(page, key, partition, violations);
                }
            }
        }
        SortedMap<Integer, RowVersion> through =
                seen.computeIfAbsent(page.home().partitions(), unseen -> new TreeMap<>());
        answer.through().forEach((partition, version) -> through.merge(partition, version, PagesRead::later));
        last = end;
    }

    private void judgeOrder(IndexQuery query, List<Spot> spots, List<String> violations) {
        Comparator<Spot> order = Spot.order(query.index().definition().name(), block.order());
        Optional<Spot> before = last;
        for (Spot spot : spots) {
            if (before.isPresent() && order.compare(before.get(), spot) >= 0) {
                violations.add("has " + spot + " after " + before.get());
            }
            before = Optional.of(spot);
        }
    }

    private void judgeRow(Page page, KeyBytes key, int partition, List<String> violations) {
        History history = page.history();
        Freshness told = page.answer().freshness();
        Optional<Instant> trueTime = told.staleness()
                .map(age -> page.simulation().trueTime().minus(age).minus(STAMPS));
        Optional<RowVersion> through =
                Optional.ofNullable(page.answer().through().get(partition));
        long epoch = through.map(RowVersion::epoch).orElse(Long.MAX_VALUE);
        Stream<Optional<ChangeEvent>> dues = Stream.of(
                told.completeUpTo().flatMap(time -> history.asOf(key, time, epoch)),
                trueTime.flatMap(time -> history.asOfTrueTime(key, time)),
                through.flatMap(version -> history.standingUpTo(key, version)),
                seen(page, key, partition).flatMap(version -> history.standingUpTo(key, version)),
                page.known().filter(event -> event.key().equals(key)));
        Optional<ChangeEvent> due = dues.flatMap(Optional::stream)
                .reduce((one, other) -> other.version().isAfter(one.version()) ? other : one);
        Set<String> found = page.found(key, partition);
        due.filter(first -> history.since(key, first.version()).stream()
                        .noneMatch(event -> shown(page, event, partition).equals(found)))
                .ifPresent(first -> violations.add("of " + told + ", through "
                        + page.answer().through() + ", after pages through " + seen + " has " + found + " of "
                        + first + " in partition " + partition + " of "
                        + page.home().name()));
    }

    /** The newest version up to which a page had a row, whatever partitions the table had then. */
    private Optional<RowVersion> seen(Page page, KeyBytes key, int partition) {
        return seen.entrySet().stream()
                .flatMap(one -> Stream.ofNullable(
                        one.getValue().get(page.isByIndex() ? partition : key.partition(one.getKey()))))
                .reduce(PagesRead::later);
    }

    /** What the page would show of a row that was left so by a change. */
    private Set<String> shown(Page page, ChangeEvent event, int partition) {
        Set<String> values = new TreeSet<>();
        Comparator<Spot> order = Spot.order(page.query().index().definition().name(), block.order());
        for (String entry : page.entries(event, partition)) {
            Spot spot = new Spot(entry.substring(0, entry.indexOf('|')), event.key());
            boolean isAfter =
                    last.filter(before -> order.compare(spot, before) <= 0).isEmpty();
            boolean isBefore =
                    page.end().filter(until -> order.compare(spot, until) > 0).isEmpty();
            if (isAfter && isBefore && block.holds().test(spot.value())) {
                values.add(spot.value());
            }
        }
        return values;
    }

    private static RowVersion later(RowVersion one, RowVersion other) {
        return other.isAfter(one) ? other : one;
    }
}
