package dev.tidemark.writer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.backup.BackupRefusal;
import dev.tidemark.backup.Backups;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.checksum.ChecksumScanAgent;
import dev.tidemark.checksum.ChecksumScanTotals;
import dev.tidemark.http.Health;
import dev.tidemark.kafka.ClientGauges;
import dev.tidemark.metrics.ChecksumScanMeters;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.ClockAnchor;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.writer.catalog.CatalogRegistry;
import dev.tidemark.writer.catalog.DefinitionPublisher;
import dev.tidemark.writer.catalog.DefinitionSeal;
import dev.tidemark.writer.commit.CatalogRules;
import dev.tidemark.writer.commit.CommitClock;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactDigests;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.commit.TableDigestBuilder;
import dev.tidemark.writer.commit.WriteGate;
import dev.tidemark.writer.database.CatalogDisagreesException;
import dev.tidemark.writer.database.FactDatabase;
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
import dev.tidemark.writer.kafka.RecordRoom;
import dev.tidemark.writer.lag.FreshnessWatch;
import dev.tidemark.writer.leader.Claim;
import dev.tidemark.writer.leader.ClaimSeal;
import dev.tidemark.writer.leader.LeaderAgent;
import dev.tidemark.writer.leader.LeaderState;
import dev.tidemark.writer.metrics.WriterMeters;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.Leadership;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.OutboxRelay;
import dev.tidemark.writer.outbox.RecentChanges;
import dev.tidemark.writer.outbox.RelayStatus;
import dev.tidemark.writer.outbox.SourceWatermarks;
import dev.tidemark.writer.outbox.TopicInspector;
import dev.tidemark.writer.recovery.CommitHighWaterMark;
import dev.tidemark.writer.recovery.EpochRecovery;

/** Puts the parts together with which a writer commits and publishes, once it may. Nothing is decided here. */
final class ActiveWriter {
    private static final Logger LOGGER = LoggerFactory.getLogger(ActiveWriter.class);
    private static final String NOT_ASKED = "the topics have not been asked yet whether the fact tables lost something";
    private static final Duration REST = Duration.ofMillis(100);
    private static final Duration RELAY_REST = Duration.ofMillis(5);

    /** Of changes that wait for the relay on the heap; about as many as it reads at a time. */
    private static final long RECENT_BYTES = 4L << 20;

    private static final Duration DEFINITIONS_REST = Duration.ofMillis(20);
    private static final Duration DEFINITIONS_PATIENCE = Duration.ofSeconds(5);
    private static final Duration SUMS_REST = Duration.ofMillis(10);
    private static final Duration LONG_REST = Duration.ofSeconds(1);
    private static final Duration ANCHOR_REST = Duration.ofMillis(200);
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
    private final WriterBase base;
    private final FactDatabase database;
    private final DataDirectory directory;
    private final CloseableStack service;
    private final Clock wall;
    private final LeaderState leader;
    private final RecordRoom room;
    private final Supplier<Optional<String>> replaced;

    /** Threads without which nothing is committed, or nothing published, definitions included. */
    private final List<AgentRunner> needed = new ArrayList<>();

    /** Rung when there is something to publish, and when something was. */
    private final WakeupSignal relayWork = new WakeupSignal();

    /** What an active writer answers. */
    record Answers(WriterRoutes routes, Health health, Supplier<String> metrics) {}

    /**
     * A writer that does nothing yet.
     *
     * @param service receives the parts as they are opened
     * @param replaced why this process has to end in favour of another one; empty while it has not
     */
    ActiveWriter(WriterBase base, CloseableStack service, Supplier<Optional<String>> replaced) {
        this.base = base;
        this.config = base.config();
        this.database = base.database();
        this.directory = base.directory();
        this.service = service;
        this.replaced = replaced;
        this.wall = base.wall();
        this.leader = new LeaderState(config.relay().heartbeatInterval(), wall);
        this.room = new RecordRoom(config.maxMessageBytes());
    }

    /** Whether it commits and publishes; for any thread. */
    boolean isActive() {
        return leader.isHeld() && replaced.get().isEmpty();
    }

    /**
     * Begins to commit and publish.
     *
     * @param handOver run when the last change is committed and published
     */
    Answers start(AutoCloseable handOver) throws Exception {
        FactStore store = database.facts();
        long epoch = store.currentCommit().version().epoch();
        CommitHighWaterMark highWaterMark = highWaterMark();
        ClockAnchor anchor = new ClockAnchor(directory.path().resolve("clock"));
        // A database that was put back knows of an earlier clock than this machine.
        Optional<Instant> continued = Stream.of(database.continuedClock(), anchor.continued())
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder());
        Instant last = store.currentCommit().time();
        BoundedWait.restExactly(CommitClock.untilPromised(last, continued));
        Clock clock = CommitClock.over(wall, last, continued);
        anchor.keep(clock);
        database.keepClock(clock);
        runUntilClosed(AgentRunner.start(Agent.resting("clock-anchor", () -> anchor.keepIfMoved(clock)), ANCHOR_REST));
        runUntilClosed(AgentRunner.start(Agent.resting("shared-clock", () -> keepSharedClock(clock)), LONG_REST));
        WriterMeters writerMeters = new WriterMeters(base.meters().registry(), clock);
        RecentChanges outbox = new RecentChanges(database.outbox(), RECENT_BYTES);
        Backlog backlog = new Backlog(config.backlog());
        backlog.load(outbox, database.ledger(), last);
        RelayStatus status = new RelayStatus();
        CatalogRegistry desk = CatalogRegistry.open(
                database.definitions(),
                base.file(),
                database.tables().stream().map(TableDefinition::name).collect(Collectors.toSet()),
                clock,
                DEFINITIONS_PATIENCE);
        database.keepPartitions(desk.current().catalog());
        CatalogDisagreesException.requireSamePartitions(database.tables(), desk.catalog());
        CatalogRules rules = new CatalogRules(desk::catalog, desk::current, config.maxRowBytes());
        List<TableDefinition> tables = desk.catalog().tables();
        WriteGate gate = new WriteGate() {
            @Override
            public Optional<String> refusal(String table) {
                return base.damage()
                        .refusal()
                        .or(database::failure)
                        .or(replaced)
                        .or(leader::refusal)
                        .or(() -> desk.refusal(table))
                        .or(() -> status.refusal(table))
                        .or(backlog::overflow);
            }

            @Override
            public Optional<String> halt() {
                return leader.refusal();
            }
        };
        SourceWatermarks sources = new SourceWatermarks(rules, store);
        TableDigestBuilder sums = new TableDigestBuilder();
        FactDigests digests = new FactDigests(store, desk::current, sums, config.digestInterval());
        List<Committer.Listener> listeners =
                List.of(highWaterMark, outbox, backlog, sources, writerMeters, new RelayWaker());
        Committer committer =
                new Committer(store, digests, rules, config.committer(), base.queue(), gate, clock, listeners);
        desk.enforcedBy(committer::awaitPass);

        AdminConnection admin = service.add(new AdminConnection(new KafkaClientSettings(config.kafka())));
        WakeupSignal lookNow = new WakeupSignal();
        FreshnessWatch freshness = new FreshnessWatch(
                new KafkaWorkerProgressReader(admin.notes(config.consumerGroup(), clock), desk::current),
                () -> committer.frontier().version().epoch(),
                clock,
                lookNow);
        lead(desk, epoch, admin, tables);
        service.add(handOver);
        KafkaEventPublisher publisher = new KafkaEventPublisher(
                new KafkaClientSettings(config.kafka()),
                WriterConfig.MOST_MESSAGE_BYTES,
                config.relay().derivedPatience(),
                room,
                relayWork::ring);
        OutboxRelay relay = relay(desk, outbox, backlog, status, committer, digests, sources, admin, publisher, clock);
        AgentRunner relayThread = runNeeded(AgentRunner.start(relay, RELAY_REST, relayWork));
        // Before the committer, which is so closed first: what it hands over is then closed too.
        runUntilClosed(AgentRunner.start(sums, SUMS_REST));
        AgentRunner committerThread = AgentRunner.start(committer, Duration.ZERO);
        needed.add(committerThread);
        service.add(() -> stop(committerThread, committer, outbox, status));
        runUntilClosed(AgentRunner.start(freshness.agent(), REST, lookNow));
        publishDefinitions(desk, admin, committer);
        checksumScan();

        // Once the database is needed no more: meters keep what they show first, also where another start follows.
        base.meters().show(ClientGauges.of("producer", publisher::metrics, PRODUCER_METRICS));
        tables.forEach(table -> writerMeters.show(table, backlog));
        writerMeters.show(committer);
        writerMeters.show(backlog);
        writerMeters.show(status);
        writerMeters.show(freshness, desk::current);
        writerMeters.show(sources);
        WriterRoutes routes = new WriterRoutes(
                new WriterRoutes.Parts(
                        rules,
                        desk,
                        store,
                        committer,
                        backlog,
                        freshness,
                        relay.dismissals(),
                        backups(),
                        database.ledger(),
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
                base.damage(),
                database::failure,
                () -> replaced.get().or(leader::refusal),
                desk.publishing(),
                service::failures);
        base.giveWay(service, leader::replaced);
        base.giveUpWithout(service, needed);
        return new Answers(routes, health, () -> base.meters().scrape(writerMeters::refresh));
    }

    /** The clock of this machine, or that of the database, may have been set since. */
    private void keepSharedClock(Clock clock) {
        try {
            database.keepClock(clock);
        } catch (FactsUnavailableException e) {
            LOGGER.debug("The commit clock cannot be kept in the database now; the next try is in a second", e);
        }
    }

    /**
     * Sees to it that of two writers of one deployment one stops.
     *
     * @param epoch of the fact tables when the process began
     */
    private void lead(CatalogRegistry desk, long epoch, AdminConnection admin, List<TableDefinition> tables) {
        Claim claim = new Claim(
                UUID.randomUUID().toString(),
                database.identity().orElseGet(directory::identity),
                directory.place(),
                wall.instant().truncatedTo(ChronoUnit.MILLIS),
                0);
        KafkaClaimLog log = service.add(new KafkaClaimLog(
                admin,
                new KafkaClientSettings(config.kafka()),
                new ClaimSeal(desk.current().deployment(), new DefinitionSeal(desk.secret())),
                config.replicationFactor(),
                wall));
        KafkaPublishedEnds ends = new KafkaPublishedEnds(
                admin, tables.stream().map(TableDefinition::name).toList());
        LeaderAgent agent = new LeaderAgent(claim, epoch, log, ends, leader, wall);
        runNeeded(AgentRunner.start(agent, REST));
        runNeeded(AgentRunner.start(Agent.resting("standstill", leader::runs), REST));
    }

    /** Looks whether the fact tables have gone back in time before anything is committed to them. */
    private CommitHighWaterMark highWaterMark() throws Exception {
        CommitHighWaterMark highWaterMark = service.add(CommitHighWaterMark.open(directory.path()));
        EpochRecovery.run(database.facts(), database.ledger(), highWaterMark.seen(), database.isOtherCopy());
        highWaterMark.note(database.facts().currentCommit());
        runUntilClosed(AgentRunner.start(Agent.resting("high-water-mark", highWaterMark::syncOrLog), LONG_REST));
        return highWaterMark;
    }

    /**
     * None of damaged tables, which could not be put back. None before topics were asked: a copy of that time would
     * take what was published since for lost.
     */
    private Backups backups() {
        return new Backups(
                directory.path().resolve("backups"),
                database::backupSources,
                () -> database.backupRefusal()
                        .map(BackupRefusal::lasting)
                        .or(() -> base.damage()
                                .refusal()
                                .or(database::failure)
                                .or(() -> database.ledger().unsettled().map(since -> NOT_ASKED))
                                .map(BackupRefusal::forNow)),
                wall);
    }

    private void checksumScan() {
        ChecksumScanTotals totals = ChecksumScanMeters.show(base.meters().registry());
        runUntilClosed(AgentRunner.start(
                new ChecksumScanAgent(database::checksumTargets, config.checksumScan(), totals, wall), REST));
    }

    /** A process that has to end publishes nothing more: what it knows of commits may be out of date. */
    private final class Publishing implements Leadership {
        @Override
        public boolean isHeld() {
            return isActive() && database.failure().isEmpty();
        }

        @Override
        public long leastEpoch() {
            return leader.leastEpoch();
        }
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
            CatalogRegistry desk,
            Outbox outbox,
            Backlog backlog,
            RelayStatus status,
            Committer committer,
            FactDigests digests,
            SourceWatermarks sources,
            AdminConnection admin,
            KafkaEventPublisher publisher,
            Clock clock) {
        KafkaChangeTopics topics = new KafkaChangeTopics(admin, room, config.replicationFactor());
        WakeupSignal asked = new WakeupSignal();
        TopicInspector looks = new TopicInspector(topics, asked::ring);
        runNeeded(AgentRunner.start(looks, REST, asked));
        return new OutboxRelay(
                database.tables(),
                table -> desk.catalog().table(table).isPresent(),
                desk::current,
                new OutboxRelay.Ports(
                        database.facts(),
                        outbox,
                        database.tombstones(),
                        database.ledger(),
                        looks,
                        new KafkaTopicTailReader(new KafkaClientSettings(config.kafka()), wall),
                        publisher,
                        new Publishing()),
                backlog,
                status,
                committer,
                digests::latest,
                sources,
                base.publishing(),
                config.relay(),
                clock);
    }

    private AgentRunner runNeeded(AgentRunner runner) {
        needed.add(runner);
        return runUntilClosed(runner);
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

    private void publishDefinitions(CatalogRegistry desk, AdminConnection admin, Committer committer) {
        KafkaDefinitionLog log = new KafkaDefinitionLog(
                admin, new KafkaClientSettings(config.kafka()), config.replicationFactor(), wall);
        WakeupSignal changed = new WakeupSignal();
        desk.publishing().onChange(changed::ring);
        DefinitionPublisher publisher = new DefinitionPublisher(
                desk, log, () -> committer.frontier().version().epoch(), leader::refusal, wall);
        runNeeded(AgentRunner.start(publisher, DEFINITIONS_REST, changed));
    }
}
