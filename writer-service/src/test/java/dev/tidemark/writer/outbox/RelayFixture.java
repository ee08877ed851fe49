package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.RowSource;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.FactDigests;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.SourceRequest;
import dev.tidemark.writer.commit.TableDigestBuilder;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.recovery.EpochRecovery;
import dev.tidemark.writer.recovery.FactsGoneException;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryLog;
import dev.tidemark.writer.testkit.LoneWriter;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static org.assertj.core.api.Assertions.assertThat;

/** A committer and a relay that are driven step by step, over a disk and a log in memory. */
final class RelayFixture {
    static final Duration HEARTBEAT = Duration.ofMillis(200);
    static final Duration TOMBSTONE_DELAY = Duration.ofHours(1);
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final ManualClock clock = new ManualClock();
    final InMemoryDisk disk = new InMemoryDisk();
    final InMemoryLog log = new InMemoryLog();
    MemoryBudget.Part memory = MemoryBudget.unlimited().part("publishing", 1);
    final Set<String> left = new HashSet<>();
    Leadership leadership = new LoneWriter();
    RelayStatus status = new RelayStatus();
    Backlog backlog = new Backlog(new BacklogLimits(1_000, 1_000_000));

    private final long retain;
    private Definitions definitions = Definitions.first(TestTables.CATALOG, Instant.EPOCH);
    private Map<String, RowRules> rules = TestTables.rules();
    private SourceWatermarks sources = new SourceWatermarks(() -> rules, stores().facts());
    private Committer committer;
    private TopicInspector looks = new TopicInspector(log, () -> {});
    private OutboxRelay relay;
    private TableDigestBuilder sums = new TableDigestBuilder();
    private FactDigests digests = TestTables.digests(stores().facts(), sums, () -> definitions);

    private interface Submission {
        CompletableFuture<List<CommitOutcome>> submit(WriteRequest request) throws Exception;
    }

    RelayFixture() {
        this(100_000);
    }

    RelayFixture(long retain) {
        this.retain = retain;
        this.committer = committer();
        this.relay = relay();
    }

    /**
     * The process ends and starts again; whatever was not durable and newer than the given number of writes is lost.
     */
    void restart(int lostWrites) {
        relay.onClose();
        disk.crash(lostWrites);
        status = new RelayStatus();
        backlog = new Backlog(new BacklogLimits(1_000, 1_000_000));
        committer = committer();
        relay = relay();
    }

    /** The process ends, its disk is put back to a copy, and it starts again. */
    void putBack(InMemoryDisk copy) throws FactsGoneException {
        relay.onClose();
        disk.putBack(copy);
        EpochRecovery.run(stores().facts(), stores().ledger(), Optional.empty(), false);
        restart(0);
    }

    /** Steps of both threads until nothing is to be undone and everything is published. */
    void settle() throws InterruptedException {
        waitForRetry();
        for (int i = 0; i < 200; i++) {
            committer.doWork();
            step();
            clock.advance(Duration.ofMillis(10));
        }
        assertThat(phase()).isEqualTo(RelayState.Phase.RUNNING);
    }

    void put(long id, String town) throws Exception {
        put(id, customer(id, town));
    }

    /** Writes that row of a customer. */
    void put(long id, RowDocument row) throws Exception {
        commit(new WriteCommand.Put(customerKey(id), row, Precondition.NONE));
    }

    /** Has customers have these indexes from now on, as a catalog file has them. */
    void define(String indexes) throws Exception {
        Catalog wanted = CatalogReader.read(
                "c",
                "tables: {customers: {primaryKey: customerId, partitions: 4, indexes: {" + indexes
                        + "}}, movies: {primaryKey: [title, year], partitions: 2}}");
        define(definitions.changed(wanted, clock.instant()));
    }

    void define(Definitions next) {
        definitions = next;
        rules = TestTables.rules(next);
    }

    Definitions definitions() {
        return definitions;
    }

    /** The rows of customers come from a source from now on, in place of clients. */
    void follow() {
        TableDefinition customers = new TableDefinition(
                "customers",
                TestTables.CUSTOMERS.primaryKey(),
                TestTables.CUSTOMERS.partitions(),
                TestTables.CUSTOMERS.indexes(),
                Optional.of(new RowSource("shop", "public.customers")));
        Map<String, RowRules> changed = new HashMap<>(TestTables.rules());
        changed.put("customers", new RowRules(customers, List.of(), TestTables.MAX_ROW_BYTES, 2));
        rules = changed;
    }

    /** Has the source bring rows. */
    void bring(int after, Optional<Instant> watermark, long... ids) throws Exception {
        List<WriteCommand> commands = new ArrayList<>();
        for (long id : ids) {
            commands.add(new WriteCommand.Put(customerKey(id), customer(id, "a"), Precondition.NONE));
        }
        SourceRequest request = new SourceRequest(
                "shop",
                Map.of("customers", 2L),
                after == 0 ? Optional.empty() : Optional.of(position(after)),
                position(after + 1),
                watermark,
                Optional.empty(),
                commands.isEmpty() ? List.of() : List.of(new WriteRequest("customers", commands, true, 10)),
                false);
        CompletableFuture<List<CommitOutcome>> done = committer.submit(request, Duration.ZERO);
        committer.doWork();
        assertThat(done.get()).allMatch(CommitOutcome::applied);
    }

    private static ObjectNode position(int number) {
        return RowJson.mapper().createObjectNode().put("lsn", number);
    }

    /** Writes as only the writer itself may, or one that did not wait until the topics had been asked. */
    void putUnasked(long id, String town) throws Exception {
        WriteCommand command = new WriteCommand.Put(customerKey(id), customer(id, town), Precondition.NONE);
        CompletableFuture<List<CommitOutcome>> done =
                committer.submitOwn(WriteRequest.of("customers", command, 10), Duration.ZERO);
        committer.doWork();
        assertThat(done.get().get(0).applied()).isTrue();
    }

    /** Writes a row of another table. */
    void putMovie(String title) throws Exception {
        putMovie(title, request -> committer.submit(request, Duration.ZERO));
    }

    /** The same as only the writer itself may, whose writes no topic refuses. */
    void putOwnMovie(String title) throws Exception {
        putMovie(title, request -> committer.submitOwn(request, Duration.ZERO));
    }

    private void putMovie(String title, Submission submission) throws Exception {
        ObjectNode row = movie(title);
        WriteCommand command =
                new WriteCommand.Put(TestTables.MOVIES.keyOf(row), RowDocument.of(row), Precondition.NONE);
        CompletableFuture<List<CommitOutcome>> done = submission.submit(WriteRequest.of("movies", command, 10));
        committer.doWork();
        assertThat(done.get().get(0).applied()).isTrue();
    }

    static int partitionOfMovie(String title) throws Exception {
        return TestTables.MOVIES.partitionOf(TestTables.MOVIES.keyOf(movie(title)));
    }

    private static ObjectNode movie(String title) {
        return RowJson.mapper().createObjectNode().put("title", title).put("year", 1999);
    }

    /** Sequences of the events of all rows of that table. */
    List<Long> movies() {
        return IntStream.range(0, TestTables.MOVIES.partitions())
                .boxed()
                .flatMap(partition -> log.records("movies", partition).stream())
                .filter(ChangeEvent.class::isInstance)
                .map(event -> ((ChangeEvent) event).version().sequence())
                .toList();
    }

    static int partitionOf(long id) {
        return TestTables.CUSTOMERS.partitionOf(customerKey(id));
    }

    void delete(long id) throws Exception {
        commit(new WriteCommand.Delete(customerKey(id), Precondition.NONE));
    }

    /** Lets the committer find nothing to do. */
    void idle() throws InterruptedException {
        committer.doWork();
    }

    /** Lets whole tables be added up. */
    void addUp() {
        sums.doWork();
    }

    /** One step of the relay, which finds that its last question to the topics is answered. */
    int step() throws InterruptedException {
        looks.doWork();
        return stepUnanswered();
    }

    /** The same, and what it asked the topics is not answered. */
    int stepUnanswered() throws InterruptedException {
        int before = log.sent() + disk.writes();
        int done = relay.doWork();
        if (log.sent() + disk.writes() > before && phase() != RelayState.Phase.WAITING) {
            assertThat(done).as("work of a step that did something").isPositive();
        }
        return done;
    }

    /** So many steps of the relay that it is where it stays while nothing happens. */
    void run() throws InterruptedException {
        for (int i = 0; i < 60; i++) {
            step();
            clock.advance(Duration.ofMillis(1));
        }
    }

    /** Lets the time go by that the relay waits after a failure. */
    void waitForRetry() {
        clock.advance(Duration.ofSeconds(6));
    }

    WriterStores stores() {
        return WriterStores.on(disk);
    }

    /** Every record of the topic of customers but heartbeats, by partition, then in order. */
    List<ChangeEvent> events() {
        return messages()
                .filter(ChangeEvent.class::isInstance)
                .map(ChangeEvent.class::cast)
                .toList();
    }

    /** What was said of each event that was published, in that order. */
    List<PublishTimings> handovers() {
        return log.published().stream()
                .filter(publication -> publication.message() instanceof ChangeEvent)
                .map(Publication::handover)
                .toList();
    }

    /** Sequences of the events of one customer, in order. */
    List<Long> sequencesOf(long id) {
        return events().stream()
                .filter(event -> event.key().equals(customerKey(id)))
                .map(event -> event.version().sequence())
                .toList();
    }

    /** The sequence of the newest event of each customer, by key. */
    Map<KeyBytes, Long> newestSequences() {
        Map<KeyBytes, Long> newest = new HashMap<>();
        events().forEach(event -> newest.put(event.key(), event.version().sequence()));
        return newest;
    }

    /** The newest heartbeat of a partition. */
    Optional<Heartbeat> heartbeat(int partition) {
        return log.records("customers", partition).stream()
                .filter(Heartbeat.class::isInstance)
                .map(Heartbeat.class::cast)
                .reduce((older, newer) -> newer);
    }

    /** Why nothing is published of a table. */
    Optional<TableHold.Kind> held(String table) {
        return Optional.ofNullable(status.held().get(table)).map(TableHold::kind);
    }

    Dismissals dismissals() {
        return relay.dismissals();
    }

    RelayState.Phase phase() {
        return status.state().phase();
    }

    private void commit(WriteCommand command) throws Exception {
        CompletableFuture<List<CommitOutcome>> done =
                committer.submit(WriteRequest.of("customers", command, 10), Duration.ZERO);
        committer.doWork();
        assertThat(done.get().get(0).applied()).isTrue();
    }

    private Stream<ChangeMessage> messages() {
        return IntStream.range(0, TestTables.CUSTOMERS.partitions())
                .boxed()
                .flatMap(partition -> log.records("customers", partition).stream());
    }

    private Committer committer() {
        sums = new TableDigestBuilder();
        sources = new SourceWatermarks(() -> rules, stores().facts());
        digests = TestTables.digests(stores().facts(), sums, () -> definitions);
        return new Committer(
                stores().facts(),
                digests,
                () -> rules,
                new CommitterLimits(100, 1_000_000, 100, Duration.ofNanos(1)),
                MemoryBudget.unlimited().part("queue", 1),
                status,
                clock,
                List.of(backlog, sources));
    }

    private OutboxRelay relay() {
        WriterStores stores = stores();
        backlog.load(
                stores.outbox(), stores.ledger(), stores.facts().currentCommit().time());
        looks = new TopicInspector(log, () -> {});
        return new OutboxRelay(
                TestTables.CATALOG.tables(),
                table -> !left.contains(table),
                () -> definitions,
                new OutboxRelay.Ports(
                        stores.facts(),
                        stores.outbox(),
                        stores.tombstones(),
                        stores.ledger(),
                        looks,
                        log,
                        log,
                        leadership),
                backlog,
                status,
                committer,
                () -> digests.latest(),
                sources,
                memory,
                new RelaySettings(HEARTBEAT, retain, TOMBSTONE_DELAY, PATIENCE),
                clock);
    }
}
