package dev.tidemark.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.kafka.common.config.AbstractConfig;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

import dev.tidemark.backup.Backups;
import dev.tidemark.checksum.ChecksumScanAgent;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.Security;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.kafka.ClientGauges;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.BudgetMeters;
import dev.tidemark.metrics.ChecksumScanMeters;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.rocks.RocksGauges;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.FatalErrorAgent;
import dev.tidemark.runtime.PeriodicAgent;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.runtime.TaskPool;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.settings.ServiceCommand;
import dev.tidemark.worker.advise.Advisor;
import dev.tidemark.worker.apply.ListenerGroup;
import dev.tidemark.worker.backfill.BackfillAgent;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.backfill.GenerationCleanup;
import dev.tidemark.worker.backfill.GenerationCleanupAgent;
import dev.tidemark.worker.backfill.RollbackWindow;
import dev.tidemark.worker.backfill.Throttle;
import dev.tidemark.worker.catalog.DefinitionAgent;
import dev.tidemark.worker.catalog.DefinitionFile;
import dev.tidemark.worker.catalog.FollowedDefinitions;
import dev.tidemark.worker.clocks.ClockAgent;
import dev.tidemark.worker.clocks.WriterClockEstimator;
import dev.tidemark.worker.consume.ApplyAgent;
import dev.tidemark.worker.consume.PollAgent;
import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.copy.ByteRate;
import dev.tidemark.worker.copy.CopyMeter;
import dev.tidemark.worker.copy.HeldCopies;
import dev.tidemark.worker.copy.ShardTaker;
import dev.tidemark.worker.forecast.CostBasis;
import dev.tidemark.worker.forecast.ForecastAgent;
import dev.tidemark.worker.forecast.ForecastJobs;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.http.CatalogClient;
import dev.tidemark.worker.http.CopyClient;
import dev.tidemark.worker.http.EventStreams;
import dev.tidemark.worker.http.GroupIndexes;
import dev.tidemark.worker.http.GroupLag;
import dev.tidemark.worker.http.GroupParts;
import dev.tidemark.worker.http.LagJson;
import dev.tidemark.worker.http.LifecycleJson;
import dev.tidemark.worker.http.PeerClient;
import dev.tidemark.worker.http.ServiceConnection;
import dev.tidemark.worker.http.WorkerHealth;
import dev.tidemark.worker.http.WorkerRoutes;
import dev.tidemark.worker.http.WriterCallLimit;
import dev.tidemark.worker.http.WriterCatalog;
import dev.tidemark.worker.http.WriterClockClient;
import dev.tidemark.worker.http.WriterFactTables;
import dev.tidemark.worker.kafka.ConsumerSettings;
import dev.tidemark.worker.kafka.KafkaBackfillSource;
import dev.tidemark.worker.kafka.KafkaChangeSource;
import dev.tidemark.worker.kafka.KafkaDefinitionSource;
import dev.tidemark.worker.kafka.KafkaOwnerSource;
import dev.tidemark.worker.kafka.KafkaTopics;
import dev.tidemark.worker.lag.FreshnessHistory;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.LagSampler;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.metrics.WorkerGauges;
import dev.tidemark.worker.metrics.WorkerMeters;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.shard.InstanceId;
import dev.tidemark.worker.shard.Lease;
import dev.tidemark.worker.shard.LeftoverShards;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.ProgressSignal;
import dev.tidemark.worker.shard.RebuildPolicy;
import dev.tidemark.worker.shard.ShardOpener;
import dev.tidemark.worker.shard.ShardThreads;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.verify.VerifyAgent;
import dev.tidemark.worker.verify.VerifyJobs;
import dev.tidemark.worker.verify.VerifyTotals;

/** Wires the worker and runs it. Closing it stops the parts in the opposite order. */
public final class WorkerMain {
    private static final Duration APPLY_PATIENCE = Duration.ofMillis(50);
    private static final Duration IDLE = Duration.ofMillis(5);
    private static final Duration SLOW_IDLE = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** How often what the process no longer needs is removed, so that a process that runs for months stays bounded. */
    private static final Duration TIDY_EVERY = Duration.ofMinutes(1);

    /** Threads that open shards, which mostly wait for brokers and disks. */
    private static final int OPENING = 4;

    /** Threads that take shards from other workers, which mostly wait for these and for disks. */
    private static final int COPYING = 2;

    /** After what silence another worker is not waited for any longer while a shard is taken from it. */
    private static final Duration COPY_SILENCE = Duration.ofSeconds(10);

    /** How often copies are looked at that other workers may not need any more. */
    private static final Duration COPIES_EVERY = Duration.ofSeconds(10);

    /** How often the worker looks for tables that are worth a merge. */
    private static final Duration COMPACTION_EVERY = Duration.ofSeconds(1);

    /** Threads that close shards, which mostly wait for readers. */
    private static final int CLOSING = 4;

    private final SteadyClock clock = SteadyClock.ofProcess();
    private final ServiceMeters meters = new ServiceMeters();
    private final MemoryBudget memory;
    private final MemoryShares shares;
    private final CloseableStack service = new CloseableStack();
    private final FollowedDefinitions definitions = new FollowedDefinitions();
    private final IndexNames names = new IndexNames(definitions, definitions::names);

    /** Actions that bring the exported series up to date. */
    private final List<Runnable> refreshing = new ArrayList<>();

    private WorkerMain(MemoryBudget memory) {
        this.memory = memory;
        this.shares = new MemoryShares(memory);
    }

    /** Runs the worker until it receives a stop request. */
    public static void main(String[] arguments) {
        System.exit(command().execute(arguments));
    }

    /** The same as a command, to be run here or below another one. */
    public static CommandLine command() {
        return ServiceCommand.of(
                "worker", "Maintains index tables and answers queries.", WorkerConfig::definition, WorkerMain::start);
    }

    static AutoCloseable start(AbstractConfig settings) throws Exception {
        WorkerConfig config = WorkerConfig.of(settings);
        WorkerMain worker = new WorkerMain(new MemoryBudget(config.memoryBytes()));
        try {
            worker.wire(config);
            return worker.service;
        } catch (Exception e) {
            worker.service.close();
            throw e;
        }
    }

    /** Components that nearly all subsystems share. */
    record Core(
            WorkerConfig config,
            ConsumerSettings kafka,
            WorkerIdentity self,
            KafkaTopics topics,
            ServiceConnection writer,
            ServiceConnection peers,
            ShardRoutes routes,
            WriterCallLimit turns,
            Visibility visibility,
            Advisor.Meters advised,
            ProgressSignal progressSignal,
            Shards shards,
            RocksShardStores stores,
            HeldCopies copies,
            LagMeter lag,
            Backups backups) {}

    /** The components that report how this worker follows the topics. */
    record Following(FreshnessHistory history, Lease lease, WorkerHealth health) {}

    /** The components of index upkeep that the HTTP interface uses. */
    record Upkeep(
            CatalogClient catalog,
            VerifyJobs verify,
            ForecastJobs forecastJobs,
            BuildMeter builds,
            RollbackWindow window,
            GenerationCleanup retirement) {}

    private void wire(WorkerConfig config) throws Exception {
        service.add(meters);
        // Not in a field: command() is for processes that log nothing, too.
        config.doubtfulAddress().ifPresent(LoggerFactory.getLogger(WorkerMain.class)::warn);
        // First: a worker that may not listen must not touch the data.
        Security security = Security.open(config.http().host(), config.security(), names::spellings, clock);
        Core core = core(config);
        Following following = follow(core);
        Upkeep upkeep = lookAfter(core);
        serve(core, security, following, upkeep);
        BudgetMeters.show(meters.registry(), memory);
    }

    private Core core(WorkerConfig config) throws Exception {
        Path data = service.add(DataDirectory.take(config.dataDir())).path();
        RocksResources resources =
                service.add(new RocksResources(config.rocksdbCacheBytes(), config.rocksdbMemtableBytes()));
        RocksShardStores stores = new RocksShardStores(
                data.resolve("shards"),
                resources,
                shares.rowCache(config.rowCacheBytes()),
                shares.rowVersions(RocksShardStores.VERSIONS_BYTES));
        meters.show(RocksGauges.of(stores::databases));
        String instance = InstanceId.of(config.groupInstanceId(), data);
        WorkerIdentity self = config.identity(instance);
        ConsumerSettings kafka =
                new ConsumerSettings(config.consumerGroup(), instance, config.pollMaxRecords(), config.kafka());
        KafkaTopics topics = service.add(new KafkaTopics(kafka, "topics"));
        ServiceConnection writer =
                service.add(new ServiceConnection(ServiceClient.open(config.writerUrls(), config.security())));
        followDefinitions(kafka, writer, data);
        WriterClockEstimator writerTime = new WriterClockEstimator(clock.instant());
        meters.show(writerTime.readings());
        start(new ClockAgent(writerTime, new WriterClockClient(writer), clock), SLOW_IDLE);
        WorkerMeters applied = new WorkerMeters(meters, definitions);
        refreshing.add(applied::refresh);
        Visibility visibility = new Visibility(clock);
        Advisor.Meters advised = Advisor.Meters.atZero();
        ListenerGroup listeners = new ListenerGroup(List.of(visibility, applied, advised.usage(), advised.costs()));
        ServiceConnection peers =
                service.add(new ServiceConnection(ServiceClient.ofPeers(self.url(), config.security())));
        ShardRoutes routes = shardRoutes(config, kafka, self);
        RebuildPolicy policy = new RebuildPolicy(config.shardMaxAbsence());
        ShardTaker taker = new ShardTaker(
                stores,
                new CopyClient(peers, COPY_SILENCE, clock),
                routes::holders,
                policy,
                config.copyMinRecords(),
                clock,
                BoundedWait::rest,
                new CopyMeter());
        ShardOpener opener = new ShardOpener(stores, taker, topics, policy, clock, writerTime, listeners);
        ProgressSignal progressSignal = new ProgressSignal();
        Shards shards = new Shards(
                definitions::layout,
                opener,
                progressSignal,
                clock,
                config.applyThreads(),
                new ShardThreads(
                        service.add(new TaskPool("shard-open", OPENING, PATIENCE)),
                        service.add(new TaskPool("shard-close", CLOSING, PATIENCE)),
                        service.add(new TaskPool("shard-copy", COPYING, PATIENCE))));
        LagMeter lag = new LagMeter(shards, clock, writerTime);
        lag.answeredElsewhere(
                (shard, generation) -> routes.serves(shard, generation).orElse(false));
        ChecksumScanAgent checksumScan = new ChecksumScanAgent(
                () -> stores.targets(shards::rebuild),
                config.checksumScan(),
                ChecksumScanMeters.show(meters.registry()),
                clock);
        start(checksumScan, SLOW_IDLE);
        Backups backups = new Backups(data.resolve("backups"), stores::copies, Optional::empty, clock);
        HeldCopies copies =
                new HeldCopies(data.resolve("copies"), stores, new ByteRate(config.copyBytesPerSecond(), clock), clock);
        repeat("copies", COPIES_EVERY, COPIES_EVERY, copies);
        repeat("compaction", COMPACTION_EVERY, COMPACTION_EVERY, stores::compactOftenRead);
        WriterCallLimit turns = new WriterCallLimit(Math.max(1, config.http().threads() * 3 / 8), clock);
        return new Core(
                config,
                kafka,
                self,
                topics,
                writer,
                peers,
                routes,
                turns,
                visibility,
                advised,
                progressSignal,
                shards,
                stores,
                copies,
                lag,
                backups);
    }

    private void followDefinitions(ConsumerSettings kafka, ServiceConnection writer, Path data) {
        DefinitionFile file = new DefinitionFile(data.resolve("definitions.json"));
        MemoryBudget.Part read = shares.definitions();
        KafkaDefinitionSource source = new KafkaDefinitionSource(kafka, read);
        start(new DefinitionAgent(source, new WriterCatalog(writer, read, clock), file, definitions, clock), IDLE);
    }

    private Following follow(Core core) {
        WorkerConfig config = core.config();
        List<AgentRunner> needed = new ArrayList<>();
        for (int thread = 0; thread < config.applyThreads(); thread++) {
            needed.add(start(new ApplyAgent(thread, core.shards(), APPLY_PATIENCE), Duration.ZERO));
        }
        FreshnessHistory history = new FreshnessHistory();
        repeat(
                "history",
                Duration.ZERO,
                FreshnessHistory.SAMPLE_EVERY,
                () -> history.sample(definitions.get(), core.lag(), clock.instant()));
        KafkaTopics ends = service.add(new KafkaTopics(core.kafka(), "lag"));
        repeat("lag", Duration.ZERO, config.lagSampleInterval(), new LagSampler(core.lag(), ends, clock));
        TopicWatchAgent watch =
                new TopicWatchAgent(() -> definitions.layout().catalog(), core.topics(), core.shards(), clock);
        start(watch, SLOW_IDLE);
        Lease lease = new Lease(core.kafka().leaseWithin(config.lease()), clock);
        KafkaChangeSource.Factory consumers = new KafkaChangeSource.Factory(core.kafka(), core.self());
        meters.show(ClientGauges.of("consumer", consumers::metrics, KafkaChangeSource.Factory.SHOWN));
        PollAgent poll = new PollAgent(consumers, watch::ready, watch, core.shards(), shares.mailboxes(), lease, clock);
        needed.add(start(poll, IDLE));
        // Without these threads shards stand still for good, and another process may have them once this one ends.
        start(FatalErrorAgent.without(needed, clock), SLOW_IDLE);
        LeftoverShards leftovers = new LeftoverShards(
                core.stores().leftovers(), core.shards(), config.shardMaxAbsence(), poll::isSettled, clock);
        meters.show(leftovers.readings());
        repeat(
                "tidy",
                TIDY_EVERY,
                TIDY_EVERY,
                leftovers,
                () -> core.visibility().retain(definitions.tableNames()),
                () -> core.advised()
                        .retain(
                                definitions.get(),
                                core.shards().assigned().stream()
                                        .map(OpenShard::id)
                                        .toList()));
        WorkerHealth health = new WorkerHealth(
                definitions::isKnown,
                definitions::trouble,
                core.shards(),
                watch::problems,
                () -> poll.isSettled() && lease.refusal().isEmpty(),
                core.routes()::isKnown,
                service::failures);
        return new Following(history, lease, health);
    }

    private Upkeep lookAfter(Core core) {
        WorkerConfig config = core.config();
        BuildMeter builds = new BuildMeter(core.shards(), clock);
        VerifyTotals totals = new VerifyTotals();
        WorkerGauges gauges =
                new WorkerGauges(meters.registry(), definitions, core.lag(), core.visibility(), builds, totals);
        refreshing.add(gauges::refresh);
        Throttle throttle = new Throttle(config.buildRowsPerSecond(), config.buildFreshnessTarget(), clock.instant());
        MemoryBudget.Part buffers = shares.builds();
        BackfillAgent backfill = new BackfillAgent(
                () -> KafkaBackfillSource.forBuilds(core.kafka()), core.lag(), buffers, throttle, builds, clock);
        start(backfill, SLOW_IDLE);
        CatalogClient catalog = new CatalogClient(core.writer(), core.turns());
        RollbackWindow window = new RollbackWindow(core.shards(), config.rollbackWindow());
        GenerationCleanup retirement = new WriterCatalog(core.writer(), buffers, clock);
        ForecastJobs forecastJobs = new ForecastJobs(clock.millis());
        ForecastAgent forecasting = new ForecastAgent(
                forecastJobs,
                definitions,
                () -> KafkaBackfillSource.forForecasts(core.kafka()),
                buffers,
                table -> CostBasis.of(core.advised().costs(), core.shards(), table),
                clock);
        start(forecasting, SLOW_IDLE);
        return new Upkeep(catalog, verifier(core, totals), forecastJobs, builds, window, retirement);
    }

    private VerifyJobs verifier(Core core, VerifyTotals totals) {
        VerifyJobs jobs = new VerifyJobs(clock.millis());
        MemoryBudget.Part rows = shares.verification();
        WriterFactTables facts = new WriterFactTables(core.writer(), rows, clock);
        Duration interval = core.config().verifyInterval();
        start(new VerifyAgent(jobs, core.shards(), facts, rows, totals, interval, clock), SLOW_IDLE);
        return jobs;
    }

    private void serve(Core core, Security security, Following following, Upkeep upkeep) throws Exception {
        LifecycleJson lifecycleStates =
                new LifecycleJson(core.shards(), upkeep.builds(), upkeep.window(), upkeep.forecastJobs());
        LagJson lag =
                new LagJson(definitions, core.lag(), core.visibility(), lifecycleStates, following.history(), clock);
        MemoryBudget.Part pages = shares.pages();
        PeerClient peers = new PeerClient(core.peers(), pages);
        GroupParts group = new GroupParts(core.routes(), peers);
        GroupLag groupLag = new GroupLag(lag, group, definitions);
        GroupIndexes indexes = new GroupIndexes(lag, group, definitions);
        GenerationCleanupAgent cleanup = new GenerationCleanupAgent(
                definitions, upkeep.retirement(), upkeep.window(), indexes::rollbackEnd, clock);
        start(cleanup, SLOW_IDLE);
        EventStreams events = new EventStreams(groupLag, clock);
        HttpServer server = service.add(HttpServer.start(
                core.config().http(),
                security,
                memory,
                following.health(),
                this::scrape,
                WorkerRoutes.OPEN_API,
                new RoutesMain(core, following, upkeep, definitions, names, pages, clock)
                        .routes(core.routes(), peers, lag, groupLag, indexes, events)));
        start(events, SLOW_IDLE);
        // Before the server, which would wait for the streams.
        service.add(events);
        start(server.guard(List.of(core.writer().service(), core.peers().service()), clock), SLOW_IDLE);
        System.out.println("worker ready on " + server.url());
    }

    private ShardRoutes shardRoutes(WorkerConfig config, ConsumerSettings kafka, WorkerIdentity self) {
        KafkaOwnerSource owners = service.add(new KafkaOwnerSource(kafka, config.groupId(), clock));
        WakeupSignal look = new WakeupSignal();
        ShardRoutes routes =
                new ShardRoutes(self, config.replicaGroup(), owners, definitions::tableNames, clock, look::ring);
        service.add(AgentRunner.start(routes.agent(), SLOW_IDLE, look), PATIENCE);
        return routes;
    }

    private void repeat(String role, Duration delay, Duration interval, Runnable... steps) {
        start(new PeriodicAgent(role, delay, interval, List.of(steps), clock), SLOW_IDLE);
    }

    private AgentRunner start(Agent agent, Duration idle) {
        return service.add(AgentRunner.start(agent, idle), PATIENCE);
    }

    private String scrape() {
        return meters.scrape(() -> refreshing.forEach(Runnable::run));
    }
}
