package dev.tidemark.worker.lag;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardId;

/** Works out how far behind this process's shards are, at the moment of asking. For any thread. */
public final class LagMeter {
    /** A count of records older than this says nothing any more. */
    private static final Duration MAX_SAMPLE_AGE = Duration.ofSeconds(3);

    /** A watermark that is ahead of the writer's time by less counts as of now. */
    private static final Duration LEEWAY = Duration.ofSeconds(1);

    private final Shards shards;
    private final Clock clock;
    private final WriterClock writerTime;
    private final Map<ShardId, Sample> samples = new ConcurrentHashMap<>();
    private final Map<ShardId, ApplyRate> paces = new ConcurrentHashMap<>();
    private volatile BiPredicate<ShardId, Long> elsewhere = (shard, generation) -> false;

    /** A count of records behind, and when the end of the partition was read for it. */
    private record Sample(long recordsBehind, Instant at) {}

    public LagMeter(Shards shards, Clock clock, WriterClock writerTime) {
        this.shards = shards;
        this.clock = clock;
        this.writerTime = writerTime;
    }

    /**
     * Has those generations count from now on that other workers answer from.
     *
     * @param answers whether another worker answers from a generation in a shard
     */
    public void answeredElsewhere(BiPredicate<ShardId, Long> answers) {
        elsewhere = answers;
    }

    /** The shards of this process. */
    public Shards shards() {
        return shards;
    }

    /** How far behind a shard is. */
    public ShardLag of(OpenShard shard) {
        return of(shard, shard.status());
    }

    /** How far behind a shard is, given a status that was read before. */
    public ShardLag of(OpenShard shard, Optional<ShardStatus> status) {
        Optional<String> failure = shard.failure().or(shard::unread);
        Instant now = now(status.map(known -> known.checkpoint().progress()));
        return new ShardLag(status, failure, recordsBehind(shard.id()), now, shard.isPaused());
    }

    /** Time since the watermark of a shard elsewhere, as its worker has noted it; empty while it is not known. */
    public Optional<Duration> freshness(Progress noted) {
        Instant now = now(Optional.of(noted));
        return noted.watermark().flatMap(watermark -> ShardLag.age(watermark, now));
    }

    /** How far behind each shard of a table is, of those that are assigned. */
    public List<ShardLag> of(TableDefinition table) {
        return shards.of(table).stream().map(this::of).toList();
    }

    /**
     * The same where all shards are assigned; none where one is missing, because what is here could be fresher than the
     * whole.
     */
    public List<ShardLag> ofWhole(TableDefinition table) {
        List<ShardLag> held = of(table);
        return held.size() == table.partitions() ? held : List.of();
    }

    /**
     * How far behind the shards are that an index answers from: those of its newest generation that may answer in all
     * of them, or those of all generations where none may. None where it is not known how far these are: a shard of a
     * newer one is missing, or other workers answer from it.
     */
    public List<ShardLag> ofAnswering(TableDefinition table, DesiredIndex index) {
        List<ShardLag> all = new ArrayList<>();
        for (Generation generation : index.generations()) {
            TableDefinition home = generation.home(table);
            List<ShardLag> lags = new ArrayList<>();
            List<ShardId> lacking = new ArrayList<>();
            for (OpenShard shard : shards.of(home)) {
                ShardLag here = of(shard);
                lags.add(here);
                if (!here.serves(generation)) {
                    lacking.add(shard.id());
                }
            }
            if (lags.size() < home.partitions()) {
                return List.of();
            }
            if (lacking.isEmpty()) {
                return lags;
            }
            if (lacking.stream().allMatch(shard -> elsewhere.test(shard, generation.id()))) {
                return List.of();
            }
            all.addAll(lags);
        }
        return all;
    }

    /** The partitions of a table that are not assigned. */
    public List<Integer> missing(TableDefinition table) {
        return ShardId.allOf(table).stream()
                .filter(shard -> shards.find(shard).isEmpty())
                .map(ShardId::partition)
                .toList();
    }

    /** The state of every index of a table; unknown where a shard of it is not assigned. */
    public IndexHealth state(TableDefinition table) {
        return HealthRule.of(ofWhole(table));
    }

    /**
     * The state of an index in the shards that are assigned: that of the newest generation that may answer from all of
     * these, or of the current one where none may. Unknown where none is assigned.
     */
    public IndexHealth stateHere(TableDefinition table, DesiredIndex index) {
        for (Generation generation : index.generations()) {
            List<ShardLag> here = of(generation.home(table));
            if (!here.isEmpty() && here.stream().allMatch(lag -> lag.serves(generation))) {
                return HealthRule.of(here);
            }
        }
        return HealthRule.of(of(index.current().home(table)));
    }

    /**
     * Returns the arrival and apply rates, summed over all shards; empty when a shard is not assigned or its rates are
     * unknown.
     */
    public Optional<ApplyRate.Rates> rates(TableDefinition table) {
        return missing(table).isEmpty() ? ratesHere(table) : Optional.empty();
    }

    /** The same over those shards that are assigned. */
    public Optional<ApplyRate.Rates> ratesHere(TableDefinition table) {
        List<Optional<ApplyRate.Rates>> rates =
                shards.of(table).stream().map(shard -> rates(shard.id())).toList();
        return rates.stream().allMatch(Optional::isPresent)
                ? rates.stream().flatMap(Optional::stream).reduce(ApplyRate.Rates::plus)
                : Optional.empty();
    }

    /** The rates of a shard; empty while they are unknown. */
    public Optional<ApplyRate.Rates> rates(OpenShard shard) {
        return rates(shard.id());
    }

    /** When the shards of a table are expected to have caught up; not known where one is not assigned. */
    public CatchUpEstimate catchUp(TableDefinition table) {
        List<CatchUpEstimate> all = new ArrayList<>(List.of(catchUpHere(table)));
        missing(table).forEach(partition -> all.add(new CatchUpEstimate.NotKnown()));
        return CatchUpEstimate.of(all);
    }

    /** The same of those shards that are assigned. */
    public CatchUpEstimate catchUpHere(TableDefinition table) {
        return CatchUpEstimate.of(shards.of(table).stream().map(this::catchUp).toList());
    }

    /**
     * The same of a table with its global indexes and those that moved. A shard of these that the writer still fills
     * counts as a build, which is not late.
     */
    public CatchUpEstimate catchUpWithDerived(TableDefinition table) {
        return CatchUpEstimate.of(shards.withDerived(table).stream()
                .filter(shard -> !isBuilt(shard))
                .map(this::catchUp)
                .toList());
    }

    private static boolean isBuilt(OpenShard shard) {
        return DerivedTable.is(shard.id().table())
                && shard.status().filter(ShardStatus::isBeingFilled).isPresent();
    }

    /** When a shard is expected to have caught up. */
    public CatchUpEstimate catchUp(OpenShard shard) {
        ShardLag known = of(shard);
        if (!known.isLate()) {
            return new CatchUpEstimate.NotNeeded();
        }
        OptionalLong behind = known.recordsBehind();
        Optional<ApplyRate.Rates> rates = rates(shard.id());
        return behind.isPresent() && rates.isPresent()
                ? CatchUpEstimate.of(behind.getAsLong(), rates.get())
                : new CatchUpEstimate.NotKnown();
    }

    /**
     * Returns the time that a shard needs to apply the records that wait now, at the rate of the last seconds. Later
     * records do not count. Empty when none wait, when that is unknown, or when nothing is applied.
     */
    public Optional<Duration> drain(OpenShard shard) {
        long behind = recordsBehind(shard.id()).orElse(0);
        return behind == 0
                ? Optional.empty()
                : rates(shard.id())
                        .flatMap(rates -> CatchUpEstimate.of(behind, new ApplyRate.Rates(0, rates.applied(), 0))
                                .time());
    }

    /** How far the writer's clock is ahead of this process's; empty while that is not known. */
    public Optional<Duration> clockSkew() {
        return writerTime.skew();
    }

    /** Time since the least watermark; empty when there is no shard, or one of them knows none. */
    public static Optional<Duration> freshness(List<ShardLag> lags) {
        return largest(lags.stream().map(ShardLag::freshness).toList());
    }

    /**
     * Returns an upper bound for the age of the oldest change that is not applied. Empty when there is no shard, or it
     * is unknown for one of them.
     */
    public static Optional<Duration> oldestUnapplied(List<ShardLag> lags) {
        return largest(lags.stream().map(ShardLag::oldestUnapplied).toList());
    }

    /**
     * Returns the total records behind over all shards; empty when there is no shard, or it is unknown for one of them.
     */
    public static OptionalLong recordsBehind(List<ShardLag> lags) {
        boolean known = !lags.isEmpty()
                && lags.stream().allMatch(lag -> lag.recordsBehind().isPresent());
        return known
                ? OptionalLong.of(lags.stream()
                        .mapToLong(lag -> lag.recordsBehind().orElse(0))
                        .sum())
                : OptionalLong.empty();
    }

    /** Returns the total number of quarantined records over all shards. */
    public static long quarantined(List<ShardLag> lags) {
        return lags.stream().mapToLong(ShardLag::quarantined).sum();
    }

    /** The least watermark; empty when there is no shard, or one of them knows none. */
    public static Optional<Instant> completeUpTo(List<ShardLag> lags) {
        Instant least = Instant.MAX;
        for (ShardLag lag : lags) {
            Optional<Instant> here = lag.completeUpTo();
            if (here.isEmpty()) {
                return Optional.empty();
            }
            least = here.get().isBefore(least) ? here.get() : least;
        }
        return lags.isEmpty() ? Optional.empty() : Optional.of(least);
    }

    /**
     * Takes note of where a partition ends.
     *
     * @param endOffset read at that time, before this call, so that what is applied meanwhile can only help
     */
    void sampled(OpenShard shard, long endOffset, Instant at) {
        // What a shard was can answer meanwhile, but the one that is built has to read all this.
        shard.applied().ifPresent(status -> {
            long next = status.checkpoint().nextOffset();
            long behind = Math.max(0, endOffset - next);
            samples.put(shard.id(), new Sample(behind, at));
            paces.computeIfAbsent(shard.id(), id -> new ApplyRate()).add(at, endOffset, next);
            if (behind == 0 && !status.restoring()) {
                shard.caughtUpAt(at);
            }
        });
    }

    /** A query has read a shard; not counted before the first sample of the shard. */
    public void queried(ShardId shard) {
        ApplyRate pace = paces.get(shard);
        if (pace != null) {
            pace.queried();
        }
    }

    /** Forgets the shards that are no longer here. */
    void retain(List<ShardId> assigned) {
        samples.keySet().retainAll(assigned);
        paces.keySet().retainAll(assigned);
    }

    /**
     * Returns the writer's time; {@link Instant#MAX} when it is unknown, or when the watermark is of another clock. The
     * fact tables went back in time then, as when a database is put back, and the clock may have gone back with them.
     */
    private Instant now(Optional<Progress> progress) {
        Instant local = clock.instant();
        Optional<Instant> watermark = progress.flatMap(Progress::watermark);
        if (writerTime.skew().isEmpty()) {
            // Without an answer of the writer, a watermark of an earlier run may prove that its clock is ahead.
            watermark.ifPresent(time -> writerTime.seen(time, local));
        }
        Instant now = writerTime.at(local);
        boolean wasSetBack =
                watermark.filter(time -> time.isAfter(now.plus(LEEWAY))).isPresent();
        return writerTime.isKnown() && !wasSetBack && !isOfEarlierEpoch(progress) ? now : Instant.MAX;
    }

    private boolean isOfEarlierEpoch(Optional<Progress> progress) {
        long epoch = progress.map(known -> known.through().epoch()).orElse(0L);
        return writerTime
                .bound()
                .filter(bound -> bound.version().epoch() > epoch)
                .isPresent();
    }

    private Optional<ApplyRate.Rates> rates(ShardId id) {
        return Optional.ofNullable(paces.get(id)).flatMap(pace -> pace.rates(clock.instant()));
    }

    private OptionalLong recordsBehind(ShardId id) {
        Sample sample = samples.get(id);
        if (sample == null || Duration.between(sample.at(), clock.instant()).compareTo(MAX_SAMPLE_AGE) > 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(sample.recordsBehind());
    }

    private static Optional<Duration> largest(List<Optional<Duration>> durations) {
        Duration largest = Duration.ZERO;
        for (Optional<Duration> one : durations) {
            if (one.isEmpty()) {
                return Optional.empty();
            }
            largest = one.get().compareTo(largest) > 0 ? one.get() : largest;
        }
        return durations.isEmpty() ? Optional.empty() : Optional.of(largest);
    }
}
