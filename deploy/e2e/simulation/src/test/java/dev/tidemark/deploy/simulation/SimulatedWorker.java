package dev.tidemark.deploy.simulation;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.PeriodicAgent;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.backfill.BackfillAgent;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.backfill.Throttle;
import dev.tidemark.worker.clocks.ClockAgent;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.clocks.WriterClockEstimator;
import dev.tidemark.worker.consume.ApplyAgent;
import dev.tidemark.worker.consume.PollAgent;
import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.explain.FactTable;
import dev.tidemark.worker.explain.GlobalReceipts;
import dev.tidemark.worker.explain.ReceiptService;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.lag.EndOffsets;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.LagSampler;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.query.FactRows;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.GroupQueries;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.LostTokenException;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.NotServingException;
import dev.tidemark.worker.query.QueryEngine;
import dev.tidemark.worker.query.QueryResult;
import dev.tidemark.worker.query.ReadConsistency;
import dev.tidemark.worker.shard.Lease;
import dev.tidemark.worker.shard.LeftoverShards;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.PartitionInfoSource;
import dev.tidemark.worker.shard.ProgressSignal;
import dev.tidemark.worker.shard.RebuildPolicy;
import dev.tidemark.worker.shard.ShardOpener;
import dev.tidemark.worker.shard.ShardThreads;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.Leftover;
import dev.tidemark.worker.store.Leftovers;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStores;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.InMemoryShardStores;
import dev.tidemark.worker.testkit.InstantVerifyAgent;
import dev.tidemark.worker.testkit.SettableSupply;
import dev.tidemark.worker.testkit.SilentListener;
import dev.tidemark.worker.testkit.WalkVerifier;

/** The worker process: its agents, stepped in any order, over shards on a disk that outlives them. */
final class SimulatedWorker {
    private static final Duration MAX_ABSENCE = SimulatedLog.TOMBSTONE_RETENTION.dividedBy(2);

    /** So few that polls are held back now and then. */
    private static final long FEW_BYTES = 64 << 10;

    private static final int OPENING_FAILS = 60;

    private static final Duration TARGET = Duration.ofSeconds(1);

    /** How often it reads where partitions end. */
    private static final Duration COUNTED_EVERY = Duration.ofMillis(100);

    /** So long it takes to look at the clock, so that whoever waits for it to go on waits in vain for so long only. */
    private static final Duration LOOK = Duration.ofNanos(4_000);

    private static final FactRows NO_FACTS = (asked, keys, room) -> {
        throw new NotAnswerableException("the writer is not asked");
    };

    private static final Duration LONG_SILENT = Duration.ofMinutes(1);

    private final InMemoryShardStores disk = new InMemoryShardStores();
    private final int number;
    private final SimulatedTopics topics;
    private final SimulatedGroup group;
    private final SimulatedNetwork network;
    private final WorkerIdentity identity;
    private final SimulatedWriter writer;
    private final ManualClock trueTime;
    private final RandomSource chance;
    private final Histories histories;
    private final Rule broken;
    private final KnownDefinitions definitions;
    private final List<String> damages = new ArrayList<>();
    private final Set<Proven> proven = new HashSet<>();
    private final Set<ShardId> opened = new TreeSet<>();
    private final Map<ShardId, OpenShard.ShardSnapshot> lastRead = new HashMap<>();
    private final Map<ShardId, Duration> lastTold = new HashMap<>();
    private final Machine machine;
    private int starts;
    private boolean atWork;
    private Turn stalled = Turn.NONE;
    private Instant answered = Instant.MIN;
    private Parts process;

    SimulatedWorker(
            int number,
            SimulatedTopics topics,
            SimulatedGroup group,
            SimulatedNetwork network,
            SimulatedWriter writer,
            ManualClock trueTime,
            RandomSource chance,
            Histories histories,
            Rule broken,
            SimulatedDefinitions definitions) {
        this.definitions = new KnownDefinitions(definitions, chance);
        this.number = number;
        this.topics = topics;
        this.group = group;
        this.network = network;
        this.identity = new WorkerIdentity(URI.create("http://" + group.replicaGroup() + number), "disk-" + number, "");
        this.writer = writer;
        this.trueTime = trueTime;
        this.chance = chance;
        this.histories = histories;
        this.broken = broken;
        this.machine = new Machine(trueTime, broken);
        this.process = start();
    }

    private record Parts(
            Shards shards,
            LagMeter lag,
            PeriodicAgent ends,
            ReceiptService desk,
            QueryEngine engine,
            ShardRoutes routes,
            GroupQueries queries,
            SimulatedTimer timer,
            WriterClockEstimator estimate,
            ClockAgent clocks,
            TopicWatchAgent topics,
            PollAgent poll,
            ApplyAgent apply,
            BackfillAgent copy,
            InstantVerifyAgent proof,
            LeftoverShards leftovers) {}

    /** What has a thread of its own. */
    private enum Turn {
        TOPICS,
        POLL,
        COPY,
        PROOF,
        APPLY,
        NONE
    }

    /** How often each has a turn. */
    private static final List<Turn> TURNS = List.of(
            Turn.TOPICS, Turn.POLL, Turn.POLL, Turn.POLL, Turn.COPY, Turn.PROOF, Turn.APPLY, Turn.APPLY, Turn.APPLY);

    /** How many turns pass until what is left of shards is removed. */
    private static final int TIDY_ONE_IN = 100;

    /** A part of a generation that was compared and found equal. */
    private record Proven(ShardId shard, long generation) {}

    /** One step of one of the agents, and of those that ask for the time and the notes, whom nobody else holds up. */
    void step() {
        if (broken == Rule.REPAIR_IS_APPLYING && chance.oneIn(50)) {
            removeAnEntry();
        }
        definitions.learn();
        atWork = true;
        try {
            process.clocks().doWork();
            process.ends().doWork();
            if (network.isShared()) {
                process.routes().agent().doWork();
            }
            Turn turn = chance.pick(TURNS);
            if (turn != stalled) {
                agent(turn).doWork();
            }
            if (chance.oneIn(TIDY_ONE_IN)) {
                process.leftovers().run();
            }
        } catch (SimulatedCrash e) {
            crash();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            atWork = false;
        }
    }

    /** One of its threads stands still from now on, or none does. */
    void stall(boolean any) {
        stalled = any ? chance.pick(TURNS) : Turn.NONE;
    }

    private Agent agent(Turn turn) {
        return switch (turn) {
            case TOPICS -> process.topics();
            case POLL -> process.poll();
            case COPY -> process.copy();
            case PROOF -> process.proof();
            case APPLY, NONE -> process.apply();
        };
    }

    /** The process ends; where the power went too, the newest commits are lost. */
    void crash() {
        chance.meet(CoveragePoint.A_WORKER_ENDED);
        shardsOnDisk().forEach(id -> disk.crash(id, chance.below(4)));
        process = start();
    }

    /** The machine did not run since then; the process on it goes on. */
    void wasSuspendedSince(Instant began) {
        machine.wasSuspendedSince(began);
    }

    /** Somebody deletes the worker's data while it is down. */
    void loseDisk() {
        chance.meet(CoveragePoint.A_WORKER_LOST_ITS_DISK);
        shardsOnDisk().forEach(id -> {
            disk.crash(id, 0);
            disk.drop(id);
        });
        process = start();
    }

    /** Which member of its group it is. */
    int number() {
        return number;
    }

    SimulatedGroup group() {
        return group;
    }

    WorkerIdentity identity() {
        return identity;
    }

    /** Where clients ask. */
    GroupQueries queries() {
        return process.queries();
    }

    /** What a client is answered. */
    QueryResult answer(IndexQuery query)
            throws NotServingException, LostTokenException, NotAnswerableException, InterruptedException {
        return stated(answer(query, this::answerTogether));
    }

    private QueryResult answerTogether(IndexQuery query)
            throws NotServingException, LostTokenException, NotAnswerableException, InterruptedException {
        if (queries().isHere(query)) {
            return queries().engine().answer(query);
        }
        CompletableFuture<QueryResult> answer = queries().gather(query, Runnable::run);
        process.timer().pass(answer);
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NotServingException notServing) {
                throw notServing;
            } else if (e.getCause() instanceof LostTokenException lost) {
                throw lost;
            } else if (e.getCause() instanceof NotAnswerableException notAnswerable) {
                throw notAnswerable;
            }
            throw new AssertionError(e);
        }
    }

    /** Where other workers ask. */
    QueryEngine engine() {
        return process.engine();
    }

    Definitions definitions() {
        return definitions.current();
    }

    /** Tells the run which states its shards and indexes are in. */
    void meet() {
        for (OpenShard shard : process.shards().assigned()) {
            shard.applied().ifPresent(this::meet);
            if (shard.isAnsweredByPredecessor()) {
                chance.meet(CoveragePoint.WHAT_A_SHARD_WAS_ANSWERS);
            }
        }
        for (DesiredTable table : definitions.current().tables()) {
            for (DesiredIndex plan : table.indexes()) {
                Optional<Generation> serving = serving(table.definition(), plan);
                serving.ifPresent(this::meet);
                chance.meet(serving.map(generation -> generation.equals(plan.current())
                                ? CoveragePoint.THE_CURRENT_GENERATION_SERVES
                                : CoveragePoint.AN_EARLIER_GENERATION_SERVES)
                        .orElse(CoveragePoint.NO_GENERATION_SERVES));
            }
        }
    }

    private void meet(Generation serving) {
        if (definitions.isOfTheRun(serving)) {
            chance.meet(
                    serving.layout().isPresent()
                            ? CoveragePoint.A_LAYOUT_OF_THE_RUN_SERVES
                            : CoveragePoint.A_GLOBAL_INDEX_OF_THE_RUN_SERVES);
        }
    }

    private void meet(ShardStatus status) {
        if (status.restoring()) {
            chance.meet(CoveragePoint.A_SHARD_IS_RESTORING);
        }
        if (status.checkpoint().quarantined() > 0) {
            chance.meet(CoveragePoint.POISON_IS_KEPT);
        }
        status.checkpoint().generations().values().forEach(held -> chance.meet(place(held.phase())));
    }

    private static CoveragePoint place(GenerationState state) {
        if (state instanceof GenerationState.Building) {
            return CoveragePoint.A_GENERATION_IS_BUILDING;
        }
        if (state instanceof GenerationState.Paused) {
            return CoveragePoint.A_GENERATION_IS_PAUSED;
        }
        if (state instanceof GenerationState.Verifying) {
            return CoveragePoint.A_GENERATION_IS_VERIFYING;
        }
        if (state instanceof GenerationState.Ready) {
            return CoveragePoint.A_GENERATION_IS_READY;
        }
        if (state instanceof GenerationState.Degraded) {
            return CoveragePoint.A_GENERATION_IS_DEGRADED;
        }
        return state instanceof GenerationState.Rebuilding
                ? CoveragePoint.A_GENERATION_IS_REBUILDING
                : CoveragePoint.A_GENERATION_IS_DROPPING;
    }

    /** The shards that are this worker's. */
    Set<ShardId> assigned() {
        return process.shards().assigned().stream().map(OpenShard::id).collect(Collectors.toSet());
    }

    /** Whether every shard of this worker has applied everything that is in the log. */
    boolean isCaughtUp() {
        return process.shards().assigned().stream().allMatch(this::isCaughtUp);
    }

    /** The shard to which changes are applied; empty while it is not open. */
    Optional<OpenShard.ShardSnapshot> readApplied(ShardId id) {
        return process.shards().find(id).flatMap(OpenShard::readApplied);
    }

    /** How the shard is doing to which changes are applied; empty before it was first opened. */
    Optional<ShardStatus> applied(ShardId id) {
        return process.shards().find(id).flatMap(OpenShard::applied);
    }

    /** What readers are told about a shard; empty while the shard is not open. */
    Optional<OpenShard.ShardSnapshot> read(ShardId id) {
        Optional<OpenShard.ShardSnapshot> reading = process.shards().find(id).flatMap(OpenShard::readIfOpen);
        if (broken == Rule.SILENT_WHEN_REVOKED) {
            reading.ifPresent(found -> lastRead.put(id, found));
            return Optional.ofNullable(lastRead.get(id));
        }
        return reading;
    }

    /** How a shard is doing; empty before its shard was first opened. */
    Optional<ShardStatus> status(ShardId id) {
        return process.shards().find(id).flatMap(OpenShard::status);
    }

    /** How often the process was started. */
    int starts() {
        return starts;
    }

    /** The generation of an index that readers are given; empty while there is none. */
    Optional<Generation> serving(TableDefinition table, DesiredIndex plan) {
        if (broken == Rule.BUILT_BEFORE_READ) {
            return Optional.of(plan.current());
        }
        if (broken == Rule.READY_ONLY_WHEN_ALL_SHARDS_ARE) {
            return Optional.of(plan.current())
                    .filter(current -> process.shards().assigned().stream()
                            .filter(shard -> shard.id()
                                    .table()
                                    .equals(current.home(table).name()))
                            .anyMatch(shard -> shard.status()
                                    .flatMap(status -> status.checkpoint().generation(current.id()))
                                    .filter(held -> held.serves() || held.isRestoring())
                                    .isPresent()));
        }
        try {
            return Optional.of(process.engine()
                    .serving(new IndexNames.Found(table, plan, plan.current()))
                    .generation());
        } catch (NotServingException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether every generation that is wanted has been proven in every shard of this worker, and nothing else is held.
     */
    boolean isReady() {
        return process.shards().assigned().stream()
                .allMatch(shard -> shard.status()
                        .filter(status ->
                                status.checkpoint().generations().keySet().equals(wanted(shard))
                                        && status.checkpoint().generations().values().stream()
                                                .allMatch(held -> held.phase() instanceof GenerationState.Ready))
                        .isPresent());
    }

    /**
     * Whether every generation that is wanted has been compared with the table by its digest in every shard of this
     * worker.
     */
    boolean isCompared() {
        return process.shards().assigned().stream()
                .allMatch(shard -> shard.status()
                        .filter(status -> status.digests().keySet().containsAll(wanted(shard)))
                        .isPresent());
    }

    private Set<Long> wanted(OpenShard shard) {
        return definitions.inForce().layout().generations(shard.id().table()).stream()
                .map(Generation::id)
                .collect(Collectors.toSet());
    }

    /** A record that is read again; where that rule is broken, as if it were the version that the shard has now. */
    private WireRecord forged(ShardId id, WireRecord record) {
        if (broken != Rule.COPY_ONLY_THE_CURRENT_VERSION) {
            return record;
        }
        ChangeCodec codec = new ChangeCodec(id.table());
        try {
            if (codec.decode(record) instanceof ChangeEvent.Upserted row) {
                RowVersion known = known(id, row.key()).orElse(row.version());
                return codec.encode(
                        new ChangeEvent.Upserted(row.key(), known, row.committedAt(), UpsertKind.UPDATE, row.row()));
            }
            return record;
        } catch (MalformedChangeException e) {
            return record;
        }
    }

    private Optional<RowVersion> known(ShardId id, KeyBytes key) {
        return readApplied(id).flatMap(reading -> {
            try (ShardView view = reading.view()) {
                return view.versions(List.of(key)).get(0);
            }
        });
    }

    /** Where receipts are given; the writer cannot be asked. */
    ReceiptService desk() {
        return process.desk();
    }

    /** How old a shard says it is; empty when it does not tell. */
    Optional<Duration> freshness(ShardId id) {
        return switch (broken) {
            case LAG_BEGINS_AT_THE_COMMIT ->
                process.shards().find(id).flatMap(shard -> isCaughtUp(shard) ? Optional.of(Duration.ZERO) : age(id));
            case THE_WORST_PARTITION_COUNTS -> meanAge(id.table());
            case SILENT_WHEN_REVOKED -> {
                age(id).ifPresent(told -> lastTold.put(id, told));
                yield Optional.ofNullable(lastTold.get(id));
            }
            default -> age(id);
        };
    }

    /** How old a shard says the oldest change is that it lacks; empty when it does not tell. */
    Optional<Duration> oldestUnapplied(ShardId id) {
        return lag(id).flatMap(told -> broken == Rule.WHAT_IS_NOT_PUBLISHED_IS_UNAPPLIED
                        && told.recordsBehind().orElse(1) == 0
                ? Optional.of(Duration.ZERO)
                : told.oldestUnapplied());
    }

    /** Whether a shard says that no record waits to be applied. */
    boolean isSaidToBeThrough(ShardId id) {
        return lag(id).filter(told -> told.recordsBehind().orElse(1) == 0).isPresent();
    }

    /** Whether a shard knows that it has all changes up to a version. */
    boolean hasHeardOf(RowVersion version, ShardId id) {
        return applied(id)
                .filter(status ->
                        !version.isAfter(status.checkpoint().progress().through()))
                .isPresent();
    }

    /** A worker that no writer has answered yet takes the clocks for equal after a while, as the documents say. */
    private Optional<ShardLag> lag(ShardId id) {
        return process.shards()
                .find(id)
                .filter(shard -> process.estimate().skew().isPresent())
                .map(process.lag()::of);
    }

    private Optional<Duration> age(ShardId id) {
        return lag(id).flatMap(ShardLag::freshness);
    }

    private EndOffsets.Ends ends(Collection<ShardId> shards) {
        if (chance.faultOneIn(6)) {
            throw new IllegalStateException("the brokers do not answer");
        }
        Map<ShardId, Long> found = new HashMap<>();
        for (ShardId id : shards) {
            if (topics.of(id.table()).partitions().size() > id.partition()) {
                found.put(id, topics.partition(id).endOffset());
            }
        }
        return new EndOffsets.Ends(found, Map.of());
    }

    private Optional<Duration> meanAge(String table) {
        List<Duration> ages = process.shards().assigned().stream()
                .map(OpenShard::id)
                .filter(id -> id.table().equals(table))
                .map(this::age)
                .flatMap(Optional::stream)
                .toList();
        return ages.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ages.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(ages.size()));
    }

    /** Whether what a shard has read of its partition is what is there now. */
    boolean readsTheTopic(ShardId id) {
        return process.shards()
                .find(id)
                .filter(shard -> shard.topicId()
                        .filter(topics.of(id.table()).topicId()::equals)
                        .isPresent())
                .flatMap(OpenShard::status)
                .map(ShardStatus::checkpoint)
                .filter(read -> !topics.partition(id)
                        .hasLost(read.nextOffset(), read.leaderEpoch().orElse(0)))
                .isPresent();
    }

    /** Shards that were found damaged when they were opened. */
    List<String> damages() {
        return damages;
    }

    /** Whether a shard's part of a generation was ever compared and found equal. */
    boolean isProven(ShardId id, long generation) {
        return proven.contains(new Proven(id, generation));
    }

    /** An answer, and the index in the generation that gave it. */
    record Answered(IndexNames.Found index, QueryResult answer) {}

    /** Asks the generation of an index that readers are given; empty where there is no answer. */
    Optional<Answered> ask(IndexQuery query) throws LostTokenException {
        IndexQuery asked = careless(query);
        try {
            return Optional.of(new Answered(query.index(), stated(answer(asked, process.engine()::answer))));
        } catch (NotServingException | NotAnswerableException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Who answers. */
    @FunctionalInterface
    private interface Answering {
        QueryResult answer(IndexQuery query)
                throws NotServingException, LostTokenException, NotAnswerableException, InterruptedException;
    }

    /** An answer, with the token taken as a broken rule has it. */
    private QueryResult answer(IndexQuery query, Answering answering)
            throws NotServingException, LostTokenException, NotAnswerableException, InterruptedException {
        try {
            return answering.answer(
                    broken == Rule.A_TOKEN_OF_AN_UNHEARD_EPOCH_IS_WAITED_FOR ? with(query, heard(query)) : query);
        } catch (LostTokenException e) {
            if (broken == Rule.A_TOKEN_OF_A_LOST_EPOCH_IS_REFUSED) {
                return answering.answer(with(query, Map.of()));
            }
            throw e;
        }
    }

    /** What a token asks for, in the first of all epochs where a shard has not heard of that of the token. */
    private Map<Integer, RowVersion> heard(IndexQuery query) {
        Map<Integer, RowVersion> versions = new HashMap<>(query.demand().versions());
        versions.replaceAll((partition, version) -> {
            ShardId shard = new ShardId(query.index().home().name(), partition);
            boolean heard = status(shard)
                    .filter(known -> known.checkpoint().progress().through().epoch() >= version.epoch())
                    .isPresent();
            return heard ? version : RowVersion.NONE;
        });
        return versions;
    }

    private static IndexQuery with(IndexQuery query, Map<Integer, RowVersion> versions) {
        ReadConsistency demand = query.demand();
        return new IndexQuery(
                query.index(),
                query.partitions(),
                query.range(),
                query.order(),
                query.after(),
                query.limit(),
                query.fetchRow(),
                query.partial(),
                new ReadConsistency(versions, demand.seen(), demand.maxStaleness(), demand.patience()));
    }

    /** Where that rule is broken, an answer with a quarantined row is said to be of now. */
    private QueryResult stated(QueryResult answer) {
        Freshness told = answer.freshness();
        if (broken != Rule.POISON_EXCUSES_NO_OTHER_ROW || told.quarantined().count() == 0) {
            return answer;
        }
        Freshness now = new Freshness(
                writer.commitTime().or(told::completeUpTo),
                Optional.of(Duration.ZERO),
                told.state(),
                told.missingPartitions(),
                told.quarantined(),
                told.refused());
        return new QueryResult(
                answer.entries(), answer.next(), answer.rows(), new TreeMap<>(answer.through()), now, answer.room());
    }

    private IndexQuery careless(IndexQuery query) {
        boolean forgets = broken == Rule.TOKENS_OUTLIVE_A_RESTART && starts > 1;
        return new IndexQuery(
                query.index(),
                query.partitions(),
                query.range(),
                query.order(),
                query.after(),
                query.limit(),
                query.fetchRow(),
                query.partial() || broken == Rule.RESTORING_SHARDS_ARE_NAMED,
                forgets ? ReadConsistency.NONE : query.demand());
    }

    /** What a repair does that believes an old comparison and writes past the apply path. */
    private void removeAnEntry() {
        ShardId id = chance.pick(group.shards());
        readApplied(id).ifPresent(reading -> {
            for (long generation : reading.view().checkpoint().generations().keySet()) {
                try (EntryScan scan = reading.view().scan(generation, KeyRange.ALL, Order.ASC)) {
                    if (scan.isValid()) {
                        disk.meddle(id, new IndexMutation.RemoveEntry(generation, scan.key()));
                        return;
                    }
                }
            }
        });
    }

    private VerificationResult prove(OpenShard shard, Generation generation) {
        if (broken == Rule.PROVEN_BEFORE_READ) {
            return new VerificationResult.Equal();
        }
        VerificationResult proof = new WalkVerifier().prove(shard, generation);
        if (proof instanceof VerificationResult.Equal) {
            proven.add(new Proven(shard.id(), generation.id()));
        }
        return proof;
    }

    private PartitionInfoSource partitionInfoSource() {
        return switch (broken) {
            case SILENT_WHILE_RESTORING ->
                id -> new PartitionInfoSource.PartitionInfo(
                        topics.of(id.table()).topicId(), 0, disk.position(id), Optional.empty(), Optional.empty());
            case A_TOPIC_HAS_AN_IDENTITY ->
                id -> new PartitionInfoSource.PartitionInfo(
                        "topic", 0, topics.ask(id).endOffset(), Optional.empty(), Optional.empty());
            case GONE_RECORDS_ARE_NOT_PASSED_OVER -> new UnseenBeginnings(topics);
            default -> topics;
        };
    }

    private TopicWatchAgent.Topics watchedTopics() {
        return broken == Rule.A_TOPIC_HAS_AN_IDENTITY
                ? names -> {
                    Map<String, TopicWatchAgent.Topics.Topic> found =
                            new HashMap<>(topics.describe(names).found());
                    found.replaceAll((name, topic) -> new TopicWatchAgent.Topics.Topic("topic", topic.partitions()));
                    return new TopicWatchAgent.Topics.Described(found, Map.of());
                }
                : topics;
    }

    private List<ShardId> shardsOnDisk() {
        return opened.stream().filter(disk::has).toList();
    }

    private boolean isCaughtUp(OpenShard shard) {
        return !topics.of(shard.id().table()).partitions().isEmpty()
                && shard.status()
                        .filter(status -> !status.restoring()
                                && status.checkpoint().nextOffset()
                                        == topics.partition(shard.id()).endOffset())
                        .isPresent();
    }

    private Parts start() {
        starts++;
        definitions.read();
        Map<ShardId, SubmittedBatches> handed = new HashMap<>();
        Clock clock = machine.clock(chance);
        WriterClockEstimator estimate = new WriterClockEstimator(clock.instant());
        WriterClock writerTime = broken == Rule.MEASURE_ON_THE_WRITERS_CLOCK ? WriterClock.SAME : estimate;
        ProgressSignal progressSignal = new ProgressSignal();
        Duration maxAbsence = broken == Rule.REBUILT_AFTER_LONG_ABSENCE ? Duration.ofDays(10_000) : MAX_ABSENCE;
        ShardOpener opener = new ShardOpener(
                fallible(handed),
                new SettableSupply(),
                partitionInfoSource(),
                new RebuildPolicy(maxAbsence),
                clock,
                writerTime,
                new SilentListener());
        Shards shards = new Shards(definitions::layout, opener, progressSignal, clock, 1, ShardThreads.CALLER);
        TopicWatchAgent watch =
                new TopicWatchAgent(() -> definitions.layout().catalog(), watchedTopics(), shards, clock);
        Lease lease = new Lease(Duration.ofSeconds(6), clock);
        MemoryBudget memory = new MemoryBudget(FEW_BYTES);
        PollAgent poll = new PollAgent(
                () -> new SimulatedSource(topics, group, number, identity, chance, handed, broken),
                watch::ready,
                watch,
                shards,
                memory.part("mailboxes", 0.5),
                lease,
                clock);
        LagMeter lag = new LagMeter(shards, clock, writerTime);
        SimulatedTimer timer = new SimulatedTimer(trueTime);
        QueryEngine engine = engine(lag, progressSignal, lease, clock);
        ShardRoutes routes = routes(clock);
        return new Parts(
                shards,
                lag,
                new PeriodicAgent(
                        "lag", Duration.ZERO, COUNTED_EVERY, List.of(new LagSampler(lag, this::ends, clock)), clock),
                desk(lag, progressSignal),
                engine,
                routes,
                new GroupQueries(
                        engine, routes, network.seenFrom(this), NO_FACTS, engine.pages(), timer, new TimerClock(() -> {
                            trueTime.advance(LOOK);
                            return clock.instant();
                        })),
                timer,
                estimate,
                new ClockAgent(estimate, this::askForTheTime, clock),
                watch,
                poll,
                new ApplyAgent(0, shards, Duration.ZERO),
                new BackfillAgent(
                        () -> new SimulatedBackfillSource(topics, chance, this::forged),
                        lag,
                        memory.part("builds", 0.5),
                        new Throttle(0, TARGET, clock.instant()),
                        new BuildMeter(shards, clock),
                        clock),
                new InstantVerifyAgent(shards, this::prove, clock),
                new LeftoverShards(new Left(), shards, maxAbsence, poll::isSettled, clock));
    }

    /** What is on the disk of shards that are not open, as if it had just been written. */
    private final class Left implements Leftovers {
        @Override
        public List<Leftover> find() {
            return shardsOnDisk().stream()
                    .map(id -> new Leftover(id.toString(), Optional.of(id), 1, trueTime.instant()))
                    .toList();
        }

        @Override
        public boolean remove(Leftover leftover) {
            chance.meet(CoveragePoint.WHAT_WAS_LEFT_OF_A_SHARD_WAS_REMOVED);
            ShardId id = leftover.shard().orElseThrow();
            disk.drop(id);
            disk.dropKept(id);
            return true;
        }
    }

    private static QueryEngine engine(LagMeter lag, ProgressSignal progressSignal, Lease lease, Clock clock) {
        return new QueryEngine(
                lag,
                new WaiterLimit(progressSignal, 1),
                NO_FACTS,
                MemoryBudget.unlimited().part("pages", 1),
                lease::refusal,
                clock);
    }

    /** Routes that are read by whoever asks for that, because there is one thread. */
    private ShardRoutes routes(Clock clock) {
        AtomicReference<Agent> reader = new AtomicReference<>();
        ShardRoutes routes = new ShardRoutes(
                identity,
                group.replicaGroup(),
                network,
                () -> definitions.layout().tables().stream()
                        .map(DesiredTable::name)
                        .toList(),
                clock,
                () -> run(Objects.requireNonNull(reader.get())));
        reader.set(routes.agent());
        return routes;
    }

    private static void run(Agent agent) {
        try {
            agent.doWork();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private ReceiptService desk(LagMeter lag, ProgressSignal progressSignal) {
        RowLookup rows = new RowLookup(lag, Optional::empty);
        FactTable away = (asked, key, memory) -> {
            throw new NotAnswerableException("the writer is not asked");
        };
        return new ReceiptService(
                definitions::current,
                rows,
                new WaiterLimit(progressSignal, 1),
                new GlobalReceipts(
                        rows, away, shard -> Progress.UNKNOWN, (shard, generation) -> Optional.empty(), table -> true));
    }

    /** A writer that does not answer now and then, but is not silent for long. */
    private Optional<ClockReading> askForTheTime(Clock local) {
        boolean longSilent = Duration.between(answered, trueTime.instant()).compareTo(LONG_SILENT) > 0;
        if (!longSilent && chance.faultOneIn(4)) {
            return Optional.empty();
        }
        answered = trueTime.instant();
        return writer.tellTime(local);
    }

    private ShardStore opened(ShardId id, ShardOrigin origin) {
        opened.add(id);
        if (chance.faultOneIn(OPENING_FAILS)) {
            chance.meet(CoveragePoint.A_SHARD_COULD_NOT_BE_OPENED);
            throw new IllegalStateException("simulated: the files of the shard cannot be opened");
        }
        try {
            return disk.open(id, origin);
        } catch (ShardDamagedException e) {
            damages.add(id + " is damaged: " + e.getMessage());
            throw e;
        }
    }

    private ShardStores fallible(Map<ShardId, SubmittedBatches> handed) {
        return new ShardStores() {
            @Override
            public ShardStore open(ShardId id, ShardOrigin origin) {
                return fallible(id, opened(id, origin));
            }

            private FallibleShardStore fallible(ShardId id, ShardStore store) {
                SubmittedBatches batches = handed.computeIfAbsent(id, unseen -> new SubmittedBatches());
                return new FallibleShardStore(
                        store,
                        chance,
                        broken,
                        histories.of(DerivedTable.base(id.table())),
                        batches,
                        definitions,
                        id.table(),
                        () -> atWork);
            }

            @Override
            public void drop(ShardId id) {
                disk.drop(id);
            }

            @Override
            public void keep(ShardId id) {
                disk.keep(id);
            }

            @Override
            public Optional<ShardStore> kept(ShardId id) {
                return disk.kept(id).map(store -> fallible(id, store).kept());
            }

            @Override
            public void dropKept(ShardId id) {
                if (disk.keeps(id)) {
                    chance.meet(CoveragePoint.A_SHARD_HAS_PASSED_WHAT_IT_WAS);
                }
                disk.dropKept(id);
            }
        };
    }
}
