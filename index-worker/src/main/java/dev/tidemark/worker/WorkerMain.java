package dev.tidemark.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.apache.kafka.common.config.AbstractConfig;

import dev.tidemark.backup.Backups;
import dev.tidemark.http.GuardAgent;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.Peer;
import dev.tidemark.http.Security;
import dev.tidemark.kafka.ClientReadings;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.BudgetMeters;
import dev.tidemark.metrics.ScrubMeters;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.rocks.RocksReadings;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.FirstKillPoint;
import dev.tidemark.runtime.ServiceParts;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.runtime.TaskPool;
import dev.tidemark.scrub.ScrubAgent;
import dev.tidemark.settings.ServiceCommand;
import dev.tidemark.worker.advise.Advisor;
import dev.tidemark.worker.apply.ListenerGroup;
import dev.tidemark.worker.build.BuildMeter;
import dev.tidemark.worker.build.CopyAgent;
import dev.tidemark.worker.build.RetireAgent;
import dev.tidemark.worker.build.RollbackWindow;
import dev.tidemark.worker.build.Throttle;
import dev.tidemark.worker.clocks.ClockAgent;
import dev.tidemark.worker.clocks.ClockEstimate;
import dev.tidemark.worker.clocks.ClockReadings;
import dev.tidemark.worker.consume.ApplyAgent;
import dev.tidemark.worker.consume.PollAgent;
import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.define.DefinitionAgent;
import dev.tidemark.worker.define.DefinitionFile;
import dev.tidemark.worker.define.FollowedDefinitions;
import dev.tidemark.worker.explain.Explainer;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.http.AdviseRoutes;
import dev.tidemark.worker.http.CatalogClient;
import dev.tidemark.worker.http.DefineRoutes;
import dev.tidemark.worker.http.EventStreams;
import dev.tidemark.worker.http.ExplainRoutes;
import dev.tidemark.worker.http.HistoryJson;
import dev.tidemark.worker.http.LagJson;
import dev.tidemark.worker.http.LifeJson;
import dev.tidemark.worker.http.OutcomeJson;
import dev.tidemark.worker.http.PauseRoutes;
import dev.tidemark.worker.http.PlanRoutes;
import dev.tidemark.worker.http.QuarantineJson;
import dev.tidemark.worker.http.QueryRoutes;
import dev.tidemark.worker.http.ReceiptRoutes;
import dev.tidemark.worker.http.UntilDefined;
import dev.tidemark.worker.http.VerifyRoutes;
import dev.tidemark.worker.http.WorkerHealth;
import dev.tidemark.worker.http.WorkerRoutes;
import dev.tidemark.worker.http.WriterCatalog;
import dev.tidemark.worker.http.WriterClient;
import dev.tidemark.worker.http.WriterClockClient;
import dev.tidemark.worker.http.WriterFactTables;
import dev.tidemark.worker.http.WriterFacts;
import dev.tidemark.worker.http.WriterRetirement;
import dev.tidemark.worker.http.WriterTurns;
import dev.tidemark.worker.kafka.ClientSettings;
import dev.tidemark.worker.kafka.ConsumerFactory;
import dev.tidemark.worker.kafka.KafkaCopySource;
import dev.tidemark.worker.kafka.KafkaDefinitionSource;
import dev.tidemark.worker.kafka.KafkaTopicReader;
import dev.tidemark.worker.kafka.KafkaTopics;
import dev.tidemark.worker.killpoint.WorkerPlaces;
import dev.tidemark.worker.lag.FreshnessHistory;
import dev.tidemark.worker.lag.HistoryAgent;
import dev.tidemark.worker.lag.LagAgent;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.life.Lives;
import dev.tidemark.worker.lifecycle.Bell;
import dev.tidemark.worker.lifecycle.InstanceId;
import dev.tidemark.worker.lifecycle.Lease;
import dev.tidemark.worker.lifecycle.LeftoverShards;
import dev.tidemark.worker.lifecycle.ShardOpener;
import dev.tidemark.worker.lifecycle.ShardThreads;
import dev.tidemark.worker.lifecycle.Shards;
import dev.tidemark.worker.lifecycle.TidyAgent;
import dev.tidemark.worker.lifecycle.Trust;
import dev.tidemark.worker.lifecycle.WaitingRoom;
import dev.tidemark.worker.metrics.LagGauges;
import dev.tidemark.worker.metrics.LifeGauges;
import dev.tidemark.worker.metrics.PaceGauges;
import dev.tidemark.worker.metrics.VerifyMeters;
import dev.tidemark.worker.metrics.WorkerMeters;
import dev.tidemark.worker.plan.RehearsalAgent;
import dev.tidemark.worker.plan.RehearsalDesk;
import dev.tidemark.worker.plan.TableCosts;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.QueryEngine;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.receipt.ReceiptDesk;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.verify.HeldTables;
import dev.tidemark.worker.verify.VerifyAgent;
import dev.tidemark.worker.verify.VerifyDesk;
import dev.tidemark.worker.verify.VerifyTotals;

/** Wires the worker and runs it. Closing it stops the parts in the opposite order. */
public final class WorkerMain {
    private static final Duration APPLY_PATIENCE = Duration.ofMillis(50);
    private static final Duration IDLE = Duration.ofMillis(5);
    private static final Duration SLOW_IDLE = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Threads that open shards, which mostly wait for brokers and disks. */
    private static final int OPENING = 4;

    /** Threads that close shards, which mostly wait for readers. */
    private static final int CLOSING = 4;

    /** Parts of the memory budget. */
    private static final double ROW_CACHE_SHARE = 0.4;

    private static final double ROW_VERSIONS_SHARE = 0.15;
    private static final double PAGES_SHARE = 0.4;

    private static final double DEFINITIONS_SHARE = 0.25;
    private static final double VERIFICATION_SHARE = 0.2;
    private static final double MAILBOXES_SHARE = 0.25;
    private static final double MAILBOXES_FLOOR = 0.1;
    private static final double BUILDS_SHARE = 0.2;
    private static final double BUILDS_FLOOR = 0.05;

    private final SteadyClock clock = SteadyClock.ofProcess();
    private final ServiceMeters meters = new ServiceMeters();
    private final MemoryBudget memory;
    private final ServiceParts service = new ServiceParts();
    private final WorkerPlaces places = new WorkerPlaces(FirstKillPoint.ofProcess());
    private final FollowedDefinitions definitions = new FollowedDefinitions();
    private final IndexNames names = new IndexNames(definitions, definitions::names);

    /** Brings what is exported up to date. */
    private final List<Runnable> refreshing = new ArrayList<>();

    private WorkerMain(MemoryBudget memory) {
        this.memory = memory;
    }

    /** Runs the worker until it is asked to stop. */
    public static void main(String[] arguments) {
        new ServiceCommand(
                        "worker",
                        "Maintains index tables from the change topics, answers queries, measures lag.",
                        WorkerConfig.definition())
                .run(arguments, WorkerMain::start);
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

    /** What nearly every part needs. */
    private record Core(
            WorkerConfig config,
            ClientSettings kafka,
            KafkaTopics topics,
            Peer writer,
            WriterTurns turns,
            ClockEstimate writerTime,
            Visibility visibility,
            Advisor.Meters advised,
            Bell bell,
            Shards shards,
            RocksShardStores stores,
            LagMeter lag,
            Backups backups) {}

    /** What following the topics tells the outside. */
    private record Following(FreshnessHistory history, Lease lease, WorkerHealth health) {}

    /** What looks after indexes tells the outside. */
    private record Upkeep(
            CatalogClient catalog,
            VerifyDesk verify,
            RehearsalDesk rehearsals,
            BuildMeter builds,
            RollbackWindow window) {}

    private void wire(WorkerConfig config) throws Exception {
        service.add(meters);
        // First, because who may not listen must not touch the data.
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
                memory.setAside("row_cache", ROW_CACHE_SHARE, config.rowCacheBytes()),
                memory.setAside("row_versions", ROW_VERSIONS_SHARE, RocksShardStores.VERSIONS_BYTES));
        meters.show(RocksReadings.of(stores::databases));
        ClientSettings kafka = new ClientSettings(
                config.groupId(),
                InstanceId.of(config.groupInstanceId(), data),
                config.pollMaxRecords(),
                config.kafka());
        KafkaTopics topics = service.add(new KafkaTopics(kafka, "topics"));
        Peer writer = Peer.open(config.writerUrl(), config.security());
        followDefinitions(kafka, writer, data);
        ClockEstimate writerTime = new ClockEstimate(clock.instant());
        start(new ClockAgent(writerTime, new WriterClockClient(writer), clock), SLOW_IDLE);
        WorkerMeters applied = new WorkerMeters(meters, definitions::catalog);
        refreshing.add(applied::refresh);
        Visibility visibility = new Visibility(clock);
        Advisor.Meters advised = Advisor.Meters.atZero();
        ListenerGroup listeners = new ListenerGroup(List.of(visibility, applied, advised.changes(), advised.costs()));
        ShardOpener opener = new ShardOpener(
                places.in(stores), topics, new Trust(config.shardMaxAbsence()), clock, writerTime, listeners);
        Bell bell = new Bell();
        Shards shards = new Shards(
                definitions,
                opener,
                bell,
                clock,
                config.applyThreads(),
                new ShardThreads(
                        service.add(new TaskPool("shard-open", OPENING, PATIENCE)),
                        service.add(new TaskPool("shard-close", CLOSING, PATIENCE))));
        LagMeter lag = new LagMeter(shards, clock, writerTime);
        ScrubAgent scrub = new ScrubAgent(
                () -> stores.targets(shards::rebuild), config.scrub(), ScrubMeters.show(meters.registry()), clock);
        start(scrub, SLOW_IDLE);
        Backups backups = new Backups(data.resolve("backups"), stores::copies, Optional::empty, clock);
        WriterTurns turns = new WriterTurns(Math.max(1, config.http().threads() * 3 / 8), clock);
        return new Core(
                config,
                kafka,
                topics,
                writer,
                turns,
                writerTime,
                visibility,
                advised,
                bell,
                shards,
                stores,
                lag,
                backups);
    }

    private void followDefinitions(ClientSettings kafka, Peer writer, Path data) {
        DefinitionFile file = new DefinitionFile(data.resolve("definitions.json"));
        MemoryBudget.Part read = memory.part("definitions", DEFINITIONS_SHARE);
        KafkaDefinitionSource source = new KafkaDefinitionSource(kafka, read);
        start(new DefinitionAgent(source, new WriterCatalog(writer, read, clock), file, definitions, clock), IDLE);
    }

    private Following follow(Core core) {
        WorkerConfig config = core.config();
        showPace(core);
        for (int thread = 0; thread < config.applyThreads(); thread++) {
            start(new ApplyAgent(thread, core.shards(), APPLY_PATIENCE), Duration.ZERO);
        }
        FreshnessHistory history = new FreshnessHistory();
        start(new HistoryAgent(definitions::catalog, core.lag(), history, clock), SLOW_IDLE);
        KafkaTopics ends = service.add(new KafkaTopics(core.kafka(), "lag"));
        start(new LagAgent(core.lag(), ends, config.lagSampleInterval(), clock), SLOW_IDLE);
        TopicWatchAgent watch = new TopicWatchAgent(definitions::catalog, core.topics(), core.shards(), clock);
        start(watch, SLOW_IDLE);
        Lease lease = new Lease(core.kafka().leaseWithin(config.lease()), clock);
        ConsumerFactory consumers = new ConsumerFactory(core.kafka());
        meters.show(ClientReadings.of("consumer", consumers::metrics, ConsumerFactory.SHOWN));
        PollAgent poll = new PollAgent(
                places.in(consumers),
                watch::ready,
                watch,
                core.shards(),
                memory.part("mailboxes", MAILBOXES_SHARE, MAILBOXES_FLOOR),
                lease,
                clock);
        start(poll, IDLE);
        LeftoverShards leftovers = new LeftoverShards(
                core.stores().leftovers(), core.shards(), config.shardMaxAbsence(), poll::isSettled, clock);
        meters.show(leftovers.readings());
        start(new TidyAgent(List.of(leftovers, () -> core.advised().retain(definitions.get())), clock), SLOW_IDLE);
        WorkerHealth health = new WorkerHealth(
                definitions::isKnown,
                definitions::trouble,
                core.shards(),
                watch::problems,
                () -> poll.isSettled() && lease.refusal().isEmpty(),
                service::failures);
        return new Following(history, lease, health);
    }

    private void showPace(Core core) {
        PaceGauges paces = new PaceGauges(meters.registry(), definitions::catalog, core.visibility(), core.lag());
        LagGauges gauges = new LagGauges(meters.registry(), definitions::catalog, core.lag());
        refreshing.add(paces::refresh);
        refreshing.add(gauges::refresh);
        meters.show(ClockReadings.of(core.writerTime()));
    }

    private Upkeep lookAfter(Core core) {
        WorkerConfig config = core.config();
        BuildMeter builds = new BuildMeter(core.shards(), clock);
        refreshing.add(new LifeGauges(meters.registry(), core.shards(), builds)::refresh);
        Throttle throttle = new Throttle(config.buildRowsPerSecond(), config.buildFreshnessTarget(), clock.instant());
        MemoryBudget.Part buffers = memory.part("builds", BUILDS_SHARE, BUILDS_FLOOR);
        start(
                new CopyAgent(() -> new KafkaCopySource(core.kafka()), core.lag(), buffers, throttle, builds, clock),
                SLOW_IDLE);
        CatalogClient catalog = new CatalogClient(core.writer(), core.turns());
        RollbackWindow window = new RollbackWindow(core.shards(), config.rollbackWindow());
        start(new RetireAgent(core.shards(), new WriterRetirement(core.writer(), clock), window, clock), SLOW_IDLE);
        RehearsalDesk rehearsals = new RehearsalDesk();
        TableCosts costs = new TableCosts(core.advised().costs(), core.shards());
        RehearsalAgent rehearsing = new RehearsalAgent(
                rehearsals, definitions, () -> KafkaTopicReader.open(core.kafka(), buffers), costs, clock);
        start(rehearsing, SLOW_IDLE);
        return new Upkeep(catalog, verifier(core), rehearsals, builds, window);
    }

    private VerifyDesk verifier(Core core) {
        VerifyDesk desk = new VerifyDesk();
        VerifyTotals totals = new VerifyTotals();
        refreshing.add(new VerifyMeters(meters.registry(), definitions, new Lives(core.shards()), totals)::refresh);
        HeldTables held = new HeldTables(definitions, core.shards());
        MemoryBudget.Part rows = memory.part("verification", VERIFICATION_SHARE);
        WriterFactTables facts = new WriterFactTables(core.writer(), rows, clock);
        start(new VerifyAgent(desk, held, facts, rows, totals, core.config().scrubInterval(), clock), SLOW_IDLE);
        return desk;
    }

    private void serve(Core core, Security security, Following following, Upkeep upkeep) throws Exception {
        LifeJson lives = new LifeJson(core.shards(), upkeep.builds(), upkeep.window());
        LagJson lag = new LagJson(definitions, core.lag(), core.visibility(), lives);
        EventStreams events = new EventStreams(lag, clock);
        HttpServer server = service.add(HttpServer.start(
                core.config().http(),
                security,
                memory,
                following.health(),
                this::scrape,
                WorkerRoutes.OPEN_API,
                routes(core, following, upkeep, lag, events)));
        start(events, SLOW_IDLE);
        // Before the server, which would wait for the streams.
        service.add(events);
        start(new GuardAgent(server, List.of(core.writer()), clock), SLOW_IDLE);
        System.out.println("worker ready on " + server.url());
    }

    private WorkerRoutes routes(Core core, Following following, Upkeep upkeep, LagJson lag, EventStreams events) {
        Lives lives = new Lives(core.shards());
        WaitingRoom waiting = new WaitingRoom(core.bell(), core.config().http().threads() / 2);
        WriterClient writer = new WriterClient(core.writer(), core.turns());
        MemoryBudget.Part pages = memory.part("pages", PAGES_SHARE);
        QueryEngine engine = new QueryEngine(core.lag(), waiting, writer, pages, following.lease()::refusal, clock);
        RowLookup rows = new RowLookup(core.lag(), following.lease()::refusal);
        WriterFacts facts = new WriterFacts(core.writer(), core.turns());
        OutcomeJson outcomes = new OutcomeJson(core.shards(), upkeep.builds(), upkeep.rehearsals());
        QueryLimits limits = core.config().queries();
        return new WorkerRoutes(
                new QueryRoutes(names, engine, upkeep.builds(), core.advised().queries(), lives, limits),
                lag,
                new QuarantineJson(core.shards(), pages),
                new PauseRoutes(definitions::catalog, core.shards()),
                new ExplainRoutes(names, new Explainer(rows, facts)),
                new ReceiptRoutes(new ReceiptDesk(definitions, rows, waiting, facts), definitions::catalog, limits),
                new VerifyRoutes(definitions, upkeep.verify()),
                new HistoryJson(definitions::catalog, following.history(), clock),
                events,
                new DefineRoutes(upkeep.catalog(), names, lag, outcomes, lives),
                new UntilDefined(definitions::isKnown),
                new AdviseRoutes(new Advisor(core.shards(), core.advised(), clock), names),
                new PlanRoutes(upkeep.rehearsals(), definitions),
                core.shards(),
                core.backups());
    }

    private void start(Agent agent, Duration idle) {
        service.add(AgentRunner.start(agent, idle), PATIENCE);
    }

    private String scrape() {
        refreshing.forEach(Runnable::run);
        return meters.scrape();
    }
}
