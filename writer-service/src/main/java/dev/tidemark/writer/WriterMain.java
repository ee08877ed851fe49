package dev.tidemark.writer;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import picocli.CommandLine;

import dev.tidemark.backup.Backups;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.checksum.ChecksumScanAgent;
import dev.tidemark.checksum.ChecksumScanTotals;
import dev.tidemark.http.HttpMaintenanceAgent;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.Security;
import dev.tidemark.kafka.ClientGauges;
import dev.tidemark.kafka.GroupNotes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.BudgetMeters;
import dev.tidemark.metrics.ChecksumScanMeters;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.rocks.RocksChecksumScan;
import dev.tidemark.rocks.RocksGauges;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.ClockAnchor;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.FatalErrorAgent;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.settings.CatalogFile;
import dev.tidemark.settings.ServiceCommand;
import dev.tidemark.writer.catalog.CatalogRegistry;
import dev.tidemark.writer.catalog.DefinitionPublisher;
import dev.tidemark.writer.commit.CatalogRules;
import dev.tidemark.writer.commit.CommitClock;
import dev.tidemark.writer.commit.CommitListeners;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactDigests;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.TableDigestBuilder;
import dev.tidemark.writer.commit.WriteGate;
import dev.tidemark.writer.http.WriterRoutes;
import dev.tidemark.writer.kafka.AdminConnection;
import dev.tidemark.writer.kafka.KafkaChangeTopics;
import dev.tidemark.writer.kafka.KafkaClaimLog;
import dev.tidemark.writer.kafka.KafkaClientSettings;
import dev.tidemark.writer.kafka.KafkaDefinitionLog;
import dev.tidemark.writer.kafka.KafkaEventPublisher;
import dev.tidemark.writer.kafka.KafkaPublishedEnds;
import dev.tidemark.writer.kafka.KafkaTopicTailReader;
import dev.tidemark.writer.kafka.KafkaWorkerProgressReader;
import dev.tidemark.writer.lag.FreshnessWatch;
import dev.tidemark.writer.leader.Claim;
import dev.tidemark.writer.leader.ClaimSeal;
import dev.tidemark.writer.leader.LeaderAgent;
import dev.tidemark.writer.leader.LeaderState;
import dev.tidemark.writer.metrics.IndexGauges;
import dev.tidemark.writer.metrics.SourceGauges;
import dev.tidemark.writer.metrics.WriterMeters;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.OutboxRelay;
import dev.tidemark.writer.outbox.RelayStatus;
import dev.tidemark.writer.outbox.SourceWatermarks;
import dev.tidemark.writer.outbox.TopicInspector;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.recovery.CommitHighWaterMark;
import dev.tidemark.writer.recovery.EpochRecovery;
import dev.tidemark.writer.rocks.GuardedFactStore;
import dev.tidemark.writer.rocks.RocksDefinitionStore;
import dev.tidemark.writer.rocks.RocksFactStore;
import dev.tidemark.writer.rocks.RocksOutbox;
import dev.tidemark.writer.rocks.RocksTombstones;
import dev.tidemark.writer.rocks.RocksTopicLedger;
import dev.tidemark.writer.rocks.WriterDatabase;

/** Puts the writer together and runs it. Nothing is decided here. */
public final class WriterMain {
    private static final String FACTS = "facts";
    private static final int RECYCLED_LOGS = 2;
    private static final double ROW_CACHE_SHARE = 0.4;
    private static final double QUEUE_SHARE = 0.5;
    private static final String NOT_ASKED = "the topics have not been asked yet whether the fact tables lost something";
    private static final double PUBLISHING_SHARE = 0.25;
    private static final double PUBLISHING_FLOOR = 0.05;
    private static final Duration LEADER_REST = Duration.ofMillis(100);
    private static final Duration LOOKS_REST = Duration.ofMillis(100);
    private static final Duration RELAY_REST = Duration.ofMillis(5);
    private static final Duration DEFINITIONS_REST = Duration.ofMillis(20);
    private static final Duration DEFINITIONS_PATIENCE = Duration.ofSeconds(5);
    private static final Duration SUMS_REST = Duration.ofMillis(10);
    private static final Duration CHECKSUM_SCAN_REST = Duration.ofMillis(100);
    private static final Duration WITNESS_REST = Duration.ofSeconds(1);
    private static final Duration ANCHOR_REST = Duration.ofMillis(200);
    private static final Duration LAG_REST = Duration.ofMillis(100);
    private static final Duration TOLD_FOR = Duration.ofSeconds(1);
    private static final Duration AGENT_PATIENCE = Duration.ofMillis(500);
    private static final Duration COMMITTER_PATIENCE = Duration.ofSeconds(2);
    private static final Duration LAST_PUBLISHING = Duration.ofSeconds(2);
    private static final List<String> PRODUCER_METRICS = List.of(
            "connection-count",
            "request-latency-avg",
            "outgoing-byte-rate",
            "record-send-rate",
            "record-error-rate",
            "record-retry-rate",
            "buffer-available-bytes",
            "failed-authentication-total");

    private final WriterConfig config;
    private final Clock wall = SteadyClock.ofProcess();
    private final MemoryBudget memory;
    private final CloseableStack service = new CloseableStack();

    /** Rung when there is something to publish, and when something was. */
    private final WakeupSignal relayWork = new WakeupSignal();

    private WriterMain(WriterConfig config) {
        this.config = config;
        this.memory = new MemoryBudget(config.memoryBytes());
    }

    /** Runs the writer until it receives a stop request. */
    public static void main(String[] arguments) {
        System.exit(command().execute(arguments));
    }

    /** The same as a command, to be run here or below another one. */
    public static CommandLine command() {
        return ServiceCommand.of(
                "writer",
                "Commits rows to the fact tables and relays each change to Kafka.",
                WriterConfig::definition,
                settings -> start(WriterConfig.from(settings), System.out));
    }

    /**
     * Starts a writer.
     *
     * @param out receives the URL of the service once it serves
     * @return closes the service
     */
    static AutoCloseable start(WriterConfig config, PrintStream out) throws Exception {
        WriterMain main = new WriterMain(config);
        boolean started = false;
        try {
            out.println("writer ready on " + main.start().url());
            started = true;
            return main.service;
        } finally {
            if (!started) {
                main.service.close();
            }
        }
    }

    private HttpServer start() throws Exception {
        // First, because a process that may not listen must not touch the data.
        Security security = Security.open(config.http().host(), config.security(), List::of, wall);
        Catalog file = CatalogFile.read(config.catalogFile());
        DataDirectory directory = service.add(DataDirectory.take(config.dataDirectory()));
        RocksResources resources =
                service.add(new RocksResources(config.rocksCacheBytes(), config.rocksMemtableBytes(), RECYCLED_LOGS));
        WriterDatabase database =
                service.add(WriterDatabase.open(directory.path().resolve(FACTS), file, resources));
        ServiceMeters meters = service.add(new ServiceMeters());
        meters.show(RocksGauges.of(() -> List.of(database.database())));
        FactsDamage damage = new FactsDamage();
        DiskFailure disk = new DiskFailure();
        long rowCache = memory.setAside("row_cache", ROW_CACHE_SHARE, config.rowCacheBytes());
        FactStore store = new GuardedFactStore(new RocksFactStore(database, rowCache), damage, disk);
        CommitHighWaterMark highWaterMark = highWaterMark(directory, store, new RocksTopicLedger(database));
        ClockAnchor anchor = new ClockAnchor(directory.path().resolve("clock"));
        Clock clock = CommitClock.over(wall, store.lastCommit().time(), anchor.continued());
        anchor.keep(clock);
        runUntilClosed(AgentRunner.start(Agent.resting("clock-anchor", () -> anchor.keepIfMoved(clock)), ANCHOR_REST));
        WriterMeters writerMeters = new WriterMeters(meters.registry(), clock);
        Outbox outbox = new RocksOutbox(database);
        Backlog backlog = new Backlog(config.backlog());
        backlog.load(outbox);
        RelayStatus status = new RelayStatus();
        CatalogRegistry desk =
                CatalogRegistry.open(new RocksDefinitionStore(database), file, clock, DEFINITIONS_PATIENCE);
        CatalogRules rules = new CatalogRules(desk::catalog, desk::current, config.maxRowBytes());
        List<TableDefinition> tables = desk.catalog().tables();
        LeaderState leader = new LeaderState(config.relay().heartbeatInterval(), wall);
        WriteGate gate = table -> damage.refusal()
                .or(disk::refusal)
                .or(leader::refusal)
                .or(() -> status.refusal(table))
                .or(backlog::overflow);
        SourceWatermarks sources = new SourceWatermarks(rules, store);
        CommitListeners listener =
                new CommitListeners(List.of(highWaterMark, backlog, sources, writerMeters, new RelayWaker()));
        TableDigestBuilder sums = new TableDigestBuilder();
        FactDigests digests = new FactDigests(store, desk::current, sums, config.digestInterval());
        Committer committer = new Committer(
                store, digests, rules, config.committer(), memory.part("queue", QUEUE_SHARE), gate, clock, listener);
        desk.enforcedBy(committer::awaitPass);

        AdminConnection admin = service.add(new AdminConnection(new KafkaClientSettings(config.kafka())));
        WakeupSignal lookNow = new WakeupSignal();
        FreshnessWatch freshness = new FreshnessWatch(
                tables,
                new KafkaWorkerProgressReader(new GroupNotes(config.consumerGroup(), admin, clock), tables),
                clock,
                lookNow);
        lead(leader, directory, desk, admin, tables);
        OutboxRelay relay = relay(
                database, desk, store, outbox, backlog, status, leader, committer, digests, sources, admin, meters,
                clock);
        AgentRunner relayThread = runUntilClosed(AgentRunner.start(relay, RELAY_REST, relayWork));
        // Before the committer, which is so closed first: what it hands over is then closed too.
        runUntilClosed(AgentRunner.start(sums, SUMS_REST));
        AgentRunner committerThread = AgentRunner.start(committer, Duration.ZERO);
        service.add(() -> stop(committerThread, committer, outbox, status));
        runUntilClosed(AgentRunner.start(freshness.agent(), LAG_REST, lookNow));
        publishDefinitions(desk, admin, committer, leader);
        checksumScan(database, damage, meters);

        tables.forEach(table -> writerMeters.show(table, backlog));
        writerMeters.show(committer);
        writerMeters.show(status);
        IndexGauges indexes = new IndexGauges(meters.registry(), freshness, desk::catalog);
        SourceGauges sourceAges = new SourceGauges(meters.registry(), sources, clock);
        WriterRoutes routes = new WriterRoutes(
                new WriterRoutes.Parts(
                        rules,
                        desk,
                        store,
                        committer,
                        backlog,
                        freshness,
                        relay.dismissals(),
                        backups(directory, database),
                        new RocksTopicLedger(database),
                        leader::unconfirmedFor,
                        clock),
                config.atomicMaxBytes(),
                config.pageRows());
        WriterHealth health = new WriterHealth(
                committerThread,
                relayThread,
                committer,
                status,
                backlog,
                damage,
                disk,
                leader::refusal,
                desk.publishing(),
                service::failures);
        HttpServer server = service.add(HttpServer.start(
                config.http(),
                security,
                memory,
                health,
                () -> scrape(indexes, sourceAges, meters),
                "/dev/tidemark/writer/openapi.yaml",
                routes));
        runUntilClosed(AgentRunner.start(new HttpMaintenanceAgent(server, List.of(), wall), LAG_REST));
        giveUp(disk::refusal, ServiceProcess.GAVE_UP);
        giveUp(leader::replaced, ServiceProcess.REPLACED);
        BudgetMeters.show(meters.registry(), memory);
        return server;
    }

    private void giveUp(Supplier<Optional<String>> reason, int exitCode) {
        FatalErrorAgent agent =
                new FatalErrorAgent(reason, TOLD_FOR, wall, why -> ServiceProcess.giveUp(exitCode, why));
        runUntilClosed(AgentRunner.start(agent, LAG_REST));
    }

    /** Sees to it that of two writers of one deployment one stops. */
    private void lead(
            LeaderState state,
            DataDirectory directory,
            CatalogRegistry desk,
            AdminConnection admin,
            List<TableDefinition> tables) {
        Claim claim = new Claim(
                UUID.randomUUID().toString(),
                directory.identity(),
                directory.place(),
                wall.instant().truncatedTo(ChronoUnit.MILLIS));
        KafkaClaimLog log = service.add(new KafkaClaimLog(
                admin,
                new KafkaClientSettings(config.kafka()),
                new ClaimSeal(desk.current().deployment(), desk.secret()),
                config.replicationFactor(),
                wall));
        KafkaPublishedEnds ends = new KafkaPublishedEnds(
                admin, tables.stream().map(TableDefinition::name).toList());
        LeaderAgent agent = new LeaderAgent(claim, log, ends, state, wall);
        runUntilClosed(AgentRunner.start(agent, LEADER_REST));
        runUntilClosed(AgentRunner.start(Agent.resting("standstill", state::runs), LEADER_REST));
    }

    /** Looks whether the fact tables have gone back in time before anything is committed to them. */
    private CommitHighWaterMark highWaterMark(DataDirectory directory, FactStore store, TopicLedger ledger)
            throws Exception {
        CommitHighWaterMark highWaterMark = service.add(CommitHighWaterMark.open(directory.path()));
        EpochRecovery.run(store, ledger, highWaterMark.seen());
        highWaterMark.note(store.lastCommit());
        runUntilClosed(AgentRunner.start(Agent.resting("high-water-mark", highWaterMark::syncOrLog), WITNESS_REST));
        return highWaterMark;
    }

    /** None before topics were asked: a copy of that time would take what was published since for lost. */
    private Backups backups(DataDirectory directory, WriterDatabase database) {
        TopicLedger ledger = new RocksTopicLedger(database);
        return new Backups(
                directory.path().resolve("backups"),
                () -> Map.of(FACTS, to -> database.database().copyTo(to)),
                () -> ledger.unsettled().map(since -> NOT_ASKED),
                wall);
    }

    private void checksumScan(WriterDatabase database, FactsDamage damage, ServiceMeters meters) {
        ChecksumScanTotals totals = ChecksumScanMeters.show(meters.registry());
        RocksChecksumScan target = new RocksChecksumScan(database.database(), damage::found);
        runUntilClosed(AgentRunner.start(
                new ChecksumScanAgent(() -> List.of(target), config.checksumScan(), totals, wall), CHECKSUM_SCAN_REST));
    }

    /** Wakes the relay for what was committed. */
    private final class RelayWaker implements Committer.Listener {
        @Override
        public void committed(FactBatch batch, Duration took) {
            // The relay goes no further than the frontier, which has not moved yet.
        }

        @Override
        public void frontierMoved() {
            relayWork.ring();
        }
    }

    private OutboxRelay relay(
            WriterDatabase database,
            CatalogRegistry desk,
            FactStore store,
            Outbox outbox,
            Backlog backlog,
            RelayStatus status,
            LeaderState leader,
            Committer committer,
            FactDigests digests,
            SourceWatermarks sources,
            AdminConnection admin,
            ServiceMeters meters,
            Clock clock) {
        KafkaEventPublisher publisher = new KafkaEventPublisher(
                new KafkaClientSettings(config.kafka()), config.maxMessageBytes(), relayWork::ring);
        meters.show(ClientGauges.of("producer", publisher::metrics, PRODUCER_METRICS));
        KafkaChangeTopics topics = new KafkaChangeTopics(admin, config.maxMessageBytes(), config.replicationFactor());
        WakeupSignal asked = new WakeupSignal();
        TopicInspector looks = new TopicInspector(topics, asked::ring);
        runUntilClosed(AgentRunner.start(looks, LOOKS_REST, asked));
        return new OutboxRelay(
                database.tables(),
                table -> desk.catalog().table(table).isPresent(),
                new OutboxRelay.Ports(
                        store,
                        outbox,
                        new RocksTombstones(database),
                        new RocksTopicLedger(database),
                        looks,
                        new KafkaTopicTailReader(new KafkaClientSettings(config.kafka()), wall),
                        publisher,
                        leader),
                backlog,
                status,
                committer,
                digests::latest,
                sources,
                memory.part("publishing", PUBLISHING_SHARE, PUBLISHING_FLOOR),
                config.relay(),
                clock);
    }

    private AgentRunner runUntilClosed(AgentRunner runner) {
        return service.add(runner, AGENT_PATIENCE);
    }

    /** Commits what still waits, then gives the relay a moment to publish it. */
    private static void stop(AgentRunner committerThread, Committer committer, Outbox outbox, RelayStatus status)
            throws InterruptedException {
        committerThread.close(COMMITTER_PATIENCE);
        long last = committer.frontier().version().sequence();
        BoundedWait.until(
                () -> outbox.publishedThrough() >= last || status.mayBeLong(), LAST_PUBLISHING, Duration.ofMillis(5));
    }

    private void publishDefinitions(
            CatalogRegistry desk, AdminConnection admin, Committer committer, LeaderState leader) {
        KafkaDefinitionLog log = new KafkaDefinitionLog(
                admin, new KafkaClientSettings(config.kafka()), config.replicationFactor(), wall);
        WakeupSignal changed = new WakeupSignal();
        desk.publishing().onChange(changed::ring);
        DefinitionPublisher publisher = new DefinitionPublisher(
                desk, log, () -> committer.frontier().version().epoch(), leader::refusal, wall);
        runUntilClosed(AgentRunner.start(publisher, DEFINITIONS_REST, changed));
    }

    private static String scrape(IndexGauges indexes, SourceGauges sources, ServiceMeters meters) {
        indexes.refresh();
        sources.refresh();
        return meters.scrape();
    }
}
