package dev.tidemark.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.common.config.AbstractConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.kafka.ClientReadings;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.rocks.RocksReadings;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.Reading;
import dev.tidemark.runtime.SteadyClock;
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
import dev.tidemark.worker.consume.ApplyAgent;
import dev.tidemark.worker.consume.PollAgent;
import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.define.DefinitionAgent;
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
import dev.tidemark.worker.http.WriterClient;
import dev.tidemark.worker.http.WriterClockClient;
import dev.tidemark.worker.http.WriterFactTables;
import dev.tidemark.worker.http.WriterFacts;
import dev.tidemark.worker.http.WriterRetirement;
import dev.tidemark.worker.kafka.ClientSettings;
import dev.tidemark.worker.kafka.ConsumerFactory;
import dev.tidemark.worker.kafka.KafkaCopySource;
import dev.tidemark.worker.kafka.KafkaDefinitionSource;
import dev.tidemark.worker.kafka.KafkaTopicReader;
import dev.tidemark.worker.kafka.KafkaTopics;
import dev.tidemark.worker.lag.FreshnessHistory;
import dev.tidemark.worker.lag.HistoryAgent;
import dev.tidemark.worker.lag.LagAgent;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.life.Lives;
import dev.tidemark.worker.lifecycle.Bell;
import dev.tidemark.worker.lifecycle.InstanceId;
import dev.tidemark.worker.lifecycle.Lease;
import dev.tidemark.worker.lifecycle.ShardOpener;
import dev.tidemark.worker.lifecycle.Shards;
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
import dev.tidemark.worker.receipt.ReceiptDesk;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.verify.HeldTables;
import dev.tidemark.worker.verify.VerifyAgent;
import dev.tidemark.worker.verify.VerifyDesk;
import dev.tidemark.worker.verify.VerifyTotals;

/** Wires the worker and runs it. Closing it stops the parts in the opposite order. */
public final class WorkerMain {
    private static final Logger LOGGER = LoggerFactory.getLogger(WorkerMain.class);
    private static final Duration APPLY_PATIENCE = Duration.ofMillis(50);
    private static final Duration DRAIN = Duration.ofSeconds(2);
    private static final Duration IDLE = Duration.ofMillis(5);
    private static final Duration SLOW_IDLE = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final SteadyClock clock = SteadyClock.ofProcess();
    private final ServiceMeters meters = new ServiceMeters();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<AgentRunner> agents = new ArrayList<>();

    private WorkerMain() {}

    /** Runs the worker until it is asked to stop. */
    public static void main(String[] arguments) {
        new ServiceCommand(
                        "worker",
                        "Maintains index tables from the change topics, answers queries, measures lag.",
                        WorkerConfig.definition())
                .run(arguments, WorkerMain::start);
    }

    private static AutoCloseable start(AbstractConfig settings) throws Exception {
        WorkerConfig config = WorkerConfig.of(settings);
        WorkerMain worker = new WorkerMain();
        try {
            worker.wire(config);
            return worker::close;
        } catch (Exception e) {
            worker.close();
            throw e;
        }
    }

    private void wire(WorkerConfig config) throws Exception {
        opened.add(meters);
        Path data = opened(DataDirectory.take(config.dataDir())).path();
        RocksResources resources =
                opened(new RocksResources(config.rocksdbCacheBytes(), config.rocksdbMemtableBytes()));
        RocksShardStores stores = new RocksShardStores(data.resolve("shards"), resources);
        ClientSettings kafka = new ClientSettings(
                config.groupId(),
                InstanceId.of(config.groupInstanceId(), data),
                config.pollMaxRecords(),
                config.kafka());
        KafkaTopics topics = opened(new KafkaTopics(kafka, "topics"));
        KafkaTopics ends = opened(new KafkaTopics(kafka, "lag"));
        ConsumerFactory consumers = new ConsumerFactory(kafka);

        ClockEstimate writerTime = new ClockEstimate(clock.instant());
        start(new ClockAgent(writerTime, new WriterClockClient(config.writerUrl()), clock), SLOW_IDLE);
        Visibility visibility = new Visibility(clock);
        FollowedDefinitions definitions = new FollowedDefinitions();
        start(new DefinitionAgent(new KafkaDefinitionSource(kafka), definitions), IDLE);
        WorkerMeters applied = new WorkerMeters(meters, definitions::catalog);
        Advisor.Meters advised = Advisor.Meters.atZero();
        ListenerGroup listeners = new ListenerGroup(List.of(visibility, applied, advised.changes(), advised.costs()));
        Bell bell = new Bell();
        ShardOpener opener =
                new ShardOpener(stores, topics, new Trust(config.shardMaxAbsence()), clock, writerTime, listeners);
        Shards shards = new Shards(definitions, opener, bell, clock, config.applyThreads());
        LagMeter lag = new LagMeter(shards, clock, writerTime);
        TopicWatchAgent watch = new TopicWatchAgent(definitions::catalog, topics, shards, clock);

        PaceGauges paces = new PaceGauges(meters.registry(), definitions::catalog, visibility, lag);
        LagGauges gauges = new LagGauges(meters.registry(), definitions::catalog, lag);
        meters.show(List.of(new Reading(
                "clock.skew.seconds",
                "The writer's commit clock minus this worker's clock; NaN until it is known.",
                () -> writerTime.skew().map(skew -> skew.toNanos() / 1e9).orElse(Double.NaN))));
        meters.show(RocksReadings.of(stores::databases));
        meters.show(ClientReadings.of("consumer", consumers::metrics, ConsumerFactory.SHOWN));

        for (int thread = 0; thread < config.applyThreads(); thread++) {
            start(new ApplyAgent(thread, shards, APPLY_PATIENCE), Duration.ZERO);
        }
        FreshnessHistory history = new FreshnessHistory();
        start(new HistoryAgent(definitions::catalog, lag, history, clock), SLOW_IDLE);
        start(new LagAgent(lag, ends, config.lagSampleInterval(), clock), SLOW_IDLE);
        start(watch, SLOW_IDLE);
        Lease lease = new Lease(
                kafka.sessionTimeout()
                        .filter(timeout -> timeout.compareTo(config.lease()) < 0)
                        .orElse(config.lease()),
                clock);
        PollAgent poll = new PollAgent(consumers, watch::ready, shards, lease, clock);
        start(poll, IDLE);

        VerifyDesk desk = new VerifyDesk();
        VerifyTotals totals = new VerifyTotals();
        VerifyMeters divergence = new VerifyMeters(meters.registry(), definitions, new Lives(shards), totals);
        start(
                new VerifyAgent(
                        desk,
                        new HeldTables(definitions, shards),
                        new WriterFactTables(config.writerUrl()),
                        totals,
                        config.scrubInterval(),
                        clock),
                SLOW_IDLE);
        BuildMeter builds = new BuildMeter(shards, clock);
        LifeGauges lives = new LifeGauges(meters.registry(), shards, builds);
        Throttle throttle = new Throttle(config.buildRowsPerSecond(), config.buildFreshnessTarget(), clock.instant());
        start(new CopyAgent(() -> new KafkaCopySource(kafka), lag, throttle, builds, clock), SLOW_IDLE);
        CatalogClient catalog = new CatalogClient(config.writerUrl());
        RollbackWindow window = new RollbackWindow(shards, config.rollbackWindow());
        start(new RetireAgent(shards, new WriterRetirement(catalog), window, clock), SLOW_IDLE);

        IndexNames names = new IndexNames(definitions);
        WaitingRoom waiting = new WaitingRoom(bell, config.httpThreads() / 2);
        QueryEngine engine = new QueryEngine(lag, waiting, new WriterClient(config.writerUrl()), lease::refusal, clock);
        RowLookup rows = new RowLookup(lag, lease::refusal);
        WriterFacts facts = new WriterFacts(config.writerUrl());
        LagJson lagJson = new LagJson(definitions, lag, visibility, new LifeJson(shards, builds, window));
        EventStreams events = new EventStreams(lagJson, clock);
        RehearsalDesk rehearsals = new RehearsalDesk();
        start(
                new RehearsalAgent(
                        rehearsals,
                        definitions,
                        () -> new KafkaTopicReader(kafka),
                        new TableCosts(advised.costs(), shards),
                        clock),
                SLOW_IDLE);
        WorkerRoutes routes = new WorkerRoutes(
                new QueryRoutes(names, engine, builds, advised.queries(), new Lives(shards)),
                lagJson,
                new QuarantineJson(shards),
                new PauseRoutes(definitions::catalog, shards),
                new ExplainRoutes(names, new Explainer(rows, facts)),
                new ReceiptRoutes(new ReceiptDesk(definitions, rows, waiting, facts), definitions::catalog),
                new VerifyRoutes(definitions, desk),
                new HistoryJson(definitions::catalog, history, clock),
                events,
                new DefineRoutes(
                        catalog, names, lagJson, new OutcomeJson(shards, builds, rehearsals), new Lives(shards)),
                new UntilDefined(definitions::isKnown),
                new AdviseRoutes(new Advisor(shards, advised, clock)),
                new PlanRoutes(rehearsals, definitions));
        HttpServer server = opened(HttpServer.start(
                new HttpSettings(config.httpHost(), config.httpPort(), config.httpThreads(), DRAIN),
                new WorkerHealth(
                        definitions::isKnown,
                        shards,
                        watch::problems,
                        () -> poll.isSettled() && lease.refusal().isEmpty(),
                        this::failures),
                () -> scrape(List.of(
                        applied::refresh, paces::refresh, gauges::refresh, lives::refresh, divergence::refresh)),
                WorkerRoutes.OPEN_API,
                routes));
        start(events, SLOW_IDLE);
        // Before the server, which would wait for the streams.
        opened.add(events);
        System.out.println("worker ready on http://" + config.httpHost() + ":" + server.port());
    }

    /** Closes every part, whatever the others do, and then tells of the first that failed. */
    private void close() throws Exception {
        Exception first = null;
        for (int i = opened.size() - 1; i >= 0; i--) {
            try {
                opened.get(i).close();
            } catch (Exception e) {
                LOGGER.error("A part of the worker did not close", e);
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void start(Agent agent, Duration idle) {
        AgentRunner runner = AgentRunner.start(agent, idle);
        agents.add(runner);
        opened.add(() -> runner.close(PATIENCE));
    }

    private List<String> failures() {
        return agents.stream()
                .flatMap(runner ->
                        runner
                                .failure()
                                .map(failure -> "thread " + runner.roleName() + " stopped: " + failure)
                                .stream())
                .toList();
    }

    private String scrape(List<Runnable> refreshing) {
        refreshing.forEach(Runnable::run);
        return meters.scrape();
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.add(resource);
        return resource;
    }
}
