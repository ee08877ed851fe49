package dev.tidemark.worker.advise;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;

/**
 * Brings together what is known of the indexes, and has it judged: what is in the shards of this worker, and what all
 * workers have counted. For any thread.
 */
public final class Advisor {
    /** A report is reused for this multiple of the time that its computation took. */
    private static final int REST = 20;

    /** Heap that a walk takes, about. */
    public static final long WALK_BYTES = DistinctKeyScan.MOST_BYTES;

    private static final Duration LEAST_REST = Duration.ofSeconds(5);

    private final Supplier<Definitions> inForce;
    private final Shards shards;
    private final Meters meters;
    private final UsageElsewhere elsewhere;
    private final Clock clock;
    private final Instant since;
    private final Semaphore walk = new Semaphore(1);

    /** The last report, and until when it is reused. */
    private final AtomicReference<@Nullable Kept> last = new AtomicReference<>();

    private record Kept(AdviceReport report, Instant until) {}

    /** The counters that it reads. */
    public record Meters(UsageMeter usage, CostMeter costs) {
        /** Counters at zero. */
        public static Meters atZero() {
            return new Meters(new UsageMeter(), new CostMeter());
        }

        /**
         * Forgets what was counted of generations and of topics that are gone, and the keys of shards that are not
         * assigned.
         */
        public void retain(Definitions inForce, Collection<ShardId> assigned) {
            usage.retain(inForce.numbers(), assigned);
            costs.retain(
                    inForce.layout().tables().stream().map(DesiredTable::name).collect(Collectors.toSet()));
        }
    }

    /**
     * An advisor over shards whose counters begin now.
     *
     * @param inForce gives the definitions as people write them
     */
    public Advisor(Supplier<Definitions> inForce, Shards shards, Meters meters, UsageElsewhere elsewhere, Clock clock) {
        this.inForce = inForce;
        this.shards = shards;
        this.meters = meters;
        this.elsewhere = elsewhere;
        this.clock = clock;
        this.since = clock.instant();
    }

    /**
     * The present advice, or that of a short while ago. One thread at a time walks every index. Afterwards the report
     * is reused for a multiple of the time that the walk took, so that requests cannot keep the shards busy.
     *
     * @return empty while another thread walks and there is no report yet
     */
    public Optional<AdviceReport> report() {
        Kept known = last.get();
        if (known != null && clock.instant().isBefore(known.until())) {
            return Optional.of(known.report());
        }
        if (!walk.tryAcquire()) {
            return Optional.ofNullable(known).map(Kept::report);
        }
        try {
            AdviceReport report = walked();
            Duration took = Duration.between(report.at(), clock.instant());
            last.set(new Kept(
                    report, clock.instant().plus(took.multipliedBy(REST)).plus(LEAST_REST)));
            return Optional.of(report);
        } finally {
            walk.release();
        }
    }

    /** What this worker has counted, for another one. */
    public Map<Long, Usage> counted() {
        return meters.usage().all(watched());
    }

    /** For how long this worker has counted. */
    public Duration watched() {
        return Duration.between(since, clock.instant());
    }

    private AdviceReport walked() {
        Instant at = clock.instant();
        UsageElsewhere.Counted others = elsewhere.read();
        Definitions now = inForce.get();
        Catalog catalog = now.catalog();
        List<IndexFacts> facts = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (DesiredTable table : now.tables()) {
            Map<TableDefinition, List<Generation>> homes =
                    new LinkedHashMap<>(Map.of(table.definition(), new ArrayList<>()));
            table.indexes()
                    .forEach(index -> homes.computeIfAbsent(
                                    index.current().home(table.definition()), home -> new ArrayList<>())
                            .add(index.current()));
            homes.forEach((home, generations) -> facts.addAll(facts(home, generations, catalog, others, notes)));
        }
        if (others.silent() > 0) {
            notes.add(others.silent()
                    + (others.silent() == 1 ? " other worker does" : " other workers do")
                    + " not say which queries it answered, so no index counts as never queried");
        }
        if (facts.stream().anyMatch(AdviceRules::isTooEarly)) {
            notes.add("no query has used some indexes yet; advice about that takes "
                    + AdviceRules.LONG_ENOUGH.toMinutes() + " minutes of counting, and this worker has counted for "
                    + watched().toMinutes());
        }
        List<Advice> advice =
                facts.stream().flatMap(one -> AdviceRules.of(one).stream()).toList();
        return new AdviceReport(at, watched(), facts, advice, notes);
    }

    /** What is known of the generations that the shards of a table hold. */
    private List<IndexFacts> facts(
            TableDefinition home,
            List<Generation> generations,
            Catalog catalog,
            UsageElsewhere.Counted others,
            List<String> notes) {
        List<ShardView> views = new ArrayList<>();
        try {
            shards.of(home).stream()
                    .flatMap(shard -> shard.readIfOpen().stream())
                    .forEach(open -> views.add(open.view()));
            List<ShardView> whole = views.stream()
                    .filter(view -> !view.checkpoint().isRestoring())
                    .toList();
            note(notes, home.partitions() - views.size(), home, "are not open here");
            note(notes, views.size() - whole.size(), home, "are being rebuilt from their topic");
            return generations.stream()
                    .map(generation -> facts(home, generation, whole, catalog, others))
                    .toList();
        } finally {
            views.forEach(ShardView::close);
        }
    }

    private static void note(List<String> notes, int partitions, TableDefinition table, String why) {
        if (partitions > 0) {
            notes.add(partitions + " of " + table.partitions() + " partitions of table " + table.name() + " " + why
                    + " and are not counted");
        }
    }

    private IndexFacts facts(
            TableDefinition home,
            Generation generation,
            List<ShardView> views,
            Catalog catalog,
            UsageElsewhere.Counted others) {
        long id = generation.id();
        KeyShape shape = DistinctKeyScan.over(
                views, id, generation.definition().key().get(0).order(), DistinctKeyScan.Limits.USUAL);
        long all = views.stream()
                .flatMap(view -> view.checkpoint().generations().values().stream())
                .mapToLong(status -> status.tally().entries())
                .sum();
        Optional<Duration> cost = meters.costs()
                .perChange(home.name())
                .filter(whole -> all > 0)
                .map(whole -> Duration.ofNanos(Math.round((double) whole.toNanos() * shape.entries() / all)));
        return new IndexFacts(
                catalog.publicName(generation.definition()),
                generation.definition(),
                shape,
                usage(id, watched(id, views), others),
                cost);
    }

    private Usage usage(long generation, Duration watched, UsageElsewhere.Counted others) {
        Usage unused = new Usage(0, 0, 0, 0, others.silent() > 0 ? Duration.ZERO : others.watched());
        Usage here = meters.usage().of(generation, watched).plus(unused);
        Usage there = others.byGeneration().get(generation);
        return there == null ? here : here.plus(there);
    }

    /** For how long a generation could be queried; not at all while a shard is building it. */
    private Duration watched(long generation, List<ShardView> views) {
        Instant now = clock.instant();
        Instant served = views.stream()
                .map(view -> view.checkpoint()
                        .generation(generation)
                        .flatMap(GenerationStatus::servedSince)
                        .orElse(now))
                .max(Instant::compareTo)
                .orElse(now);
        Instant from = served.isAfter(since) ? served : since;
        return from.isAfter(now) ? Duration.ZERO : Duration.between(from, now);
    }
}
