package dev.tidemark.worker.query;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryOwnerSource;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Workers that ask each other without a network. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class GroupQueriesTest {
    private static final TableDefinition PEOPLE = Tables.people();
    private static final Duration LONG = Duration.ofSeconds(20);

    private final IndexNames names = Tables.names(Tables.inForce(Tables.catalog()));
    private final MemoryBudget budget = new MemoryBudget(64 << 20);
    private final MemoryBudget.Part pages = budget.part("pages", 1);
    private final List<Owner> owners = new ArrayList<>();
    private final Map<URI, Worker> workers = new HashMap<>();
    private final Worker here = new Worker("here", "a", 0, 1);
    private final ShardRoutes routes = new ShardRoutes(
            new WorkerIdentity(here.url, "here", ""),
            "a",
            new InMemoryOwnerSource(owners),
            () -> List.of("people"),
            Clock.systemUTC(),
            () -> {});
    private int asked;

    private final GroupQueries queries = new GroupQueries(
            here.engine,
            routes,
            (url, part) -> {
                asked++;
                return Objects.requireNonNull(workers.get(url)).ask(part);
            },
            this::rows,
            pages,
            GroupQueriesTest::after,
            Clock.systemUTC());

    private static Runnable after(Duration time, Runnable task) {
        CompletableFuture<Void> passed =
                new CompletableFuture<Void>().completeOnTimeout(null, time.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<Void> unused = passed.thenRun(task);
        return () -> passed.cancel(false);
    }

    /** A worker with some of the shards. */
    private final class Worker {
        private final URI url;
        private final String group;
        private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
        private final Map<Integer, ChangeLog> logs = new TreeMap<>();
        private final Map<Integer, Long> reading = new HashMap<>();
        private final QueryEngine engine;
        private Optional<String> refusal = Optional.empty();
        private final List<Runnable> late = new ArrayList<>();
        private boolean silent;
        private boolean gone;

        Worker(String name, String group, int... partitions) {
            this.url = URI.create("http://" + name);
            this.group = group;
            this.engine = new QueryEngine(
                    fixture.lag(),
                    new WaiterLimit(fixture.progressSignal(), 2),
                    (table, keys, room) -> List.of(),
                    pages,
                    () -> refusal,
                    fixture.clock());
            workers.put(url, this);
            for (int partition : partitions) {
                OpenShard shard = fixture.open(new ShardId("people", partition));
                reading.put(partition, Objects.requireNonNull(shard.takeStart()).reading());
                logs.put(partition, new ChangeLog(PEOPLE));
            }
            deliver(0);
        }

        void put(long number, int id, String town) {
            ChangeLog log = logs.get(partitionOf(id));
            if (log != null) {
                log.put(number, "{\"id\":" + id + ",\"town\":\"" + town + "\",\"name\":\"N" + id + "\"}");
            }
        }

        void deliver(long heartbeat) {
            logs.forEach((partition, log) -> {
                log.heartbeat(heartbeat);
                OpenShard shard =
                        fixture.shards().find(new ShardId("people", partition)).orElseThrow();
                fixture.deliver(shard, reading.getOrDefault(partition, 0L), log.take());
            });
        }

        /** Notes its shards, as far as they are now. */
        void note() throws InterruptedException {
            WorkerIdentity self = new WorkerIdentity(url, url.getHost(), "");
            owners.removeIf(owner -> owner.note().url().equals(url));
            for (int partition : logs.keySet()) {
                ShardId id = new ShardId("people", partition);
                fixture.shards()
                        .find(id)
                        .flatMap(OpenShard::status)
                        .ifPresent(status -> owners.add(new Owner(id, group, true, self.note(status.checkpoint()))));
            }
            routes.look();
            routes.agent().doWork();
        }

        CompletableFuture<PeerAnswer> ask(IndexQuery part) {
            if (silent) {
                CompletableFuture<PeerAnswer> answer = new CompletableFuture<>();
                late.add(() -> {
                    PeerAnswer given = answer(part);
                    if (!answer.complete(given) && given instanceof PeerAnswer.Found unwanted) {
                        unwanted.part().close();
                    }
                });
                return answer;
            }
            if (gone) {
                return CompletableFuture.completedFuture(new PeerAnswer.Unreachable("connection refused"));
            }
            return CompletableFuture.completedFuture(answer(part));
        }

        private PeerAnswer answer(IndexQuery part) {
            try {
                return engine.answerPeer(part);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Opens a shard that was whole once and has not read most of its log. */
        void openBehind(int partition) {
            ShardId id = new ShardId("people", partition);
            OpenShard shard = fixture.open(id);
            ChangeLog log = new ChangeLog(PEOPLE).heartbeat(50);
            fixture.deliver(shard, Objects.requireNonNull(shard.takeStart()).reading(), log.take());
            fixture.shards().revoke(id);
            fixture.run();
            fixture.end(id, 100);
            fixture.open(id);
        }

        void answerLate() {
            late.forEach(Runnable::run);
        }
    }

    @Test
    void mergesWhatOthersHaveInIndexOrderAndPagesFitTogether() throws Exception {
        Worker other = twoWorkers();
        for (String order : List.of("asc", "desc")) {
            List<String> whole = towns(ask("order=" + order));
            assertThat(whole).hasSize(40);
            assertThat(order.equals("asc") ? whole : reversed(whole)).isSorted();
            List<String> paged = new ArrayList<>();
            Optional<String> cursor = Optional.empty();
            do {
                String more = cursor.map(text -> "cursor=" + text).orElse("limit=7");
                try (QueryResult page = ask("order=" + order, "limit=7", more)) {
                    assertThat(page.entries()).hasSizeLessThanOrEqualTo(7);
                    paged.addAll(towns(page));
                    cursor = page.next();
                }
            } while (cursor.isPresent());
            assertThat(paged).isEqualTo(whole);
        }
        assertThat(asked).isPositive();
        assertThat(other.fixture.stores().openReaders()).isZero();
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void asksNobodyForWhatIsHere() throws Exception {
        Worker other = twoWorkers();
        other.gone = true;
        try (QueryResult answer = here.engine.answer(
                parse().part(here.reading.keySet().stream().collect(Collectors.toCollection(TreeSet::new)), LONG))) {
            assertThat(answer.entries()).isNotEmpty();
        }
        assertThat(asked).isZero();
    }

    @Test
    void isAsFreshAsTheStalestPartAndInItsState() throws Exception {
        Worker other = twoWorkers();
        Objects.requireNonNull(other.logs.get(2)).garbage("7");
        other.deliver(100);
        other.fixture.clock().advance(Duration.ofSeconds(30));
        try (QueryResult answer = ask()) {
            assertThat(answer.freshness().staleness().orElseThrow()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
            assertThat(answer.freshness().completeUpTo()).contains(ChangeLog.at(100));
            assertThat(answer.freshness().state()).isEqualTo(IndexHealth.DEGRADED);
            assertThat(answer.freshness().quarantined().count()).isOne();
        }
        assertThatThrownBy(() -> ask("max_staleness=20s", "wait=300ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("ms behind");
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void fetchesTheRowsOfTheWholeAnswer() throws Exception {
        twoWorkers();
        try (QueryResult answer = ask("fetch=row", "limit=5")) {
            assertThat(answer.rows().orElseThrow()).hasSize(5);
        }
    }

    @Test
    void anotherReplicaGroupAnswersForAWorkerThatIsGoneAndForOneThatIsSilent() throws Exception {
        Worker other = twoWorkers();
        Worker third = new Worker("third", "b", 0, 1, 2, 3);
        fill(third);
        third.note();
        other.gone = true;
        assertThat(towns(ask())).hasSize(40);

        other.gone = false;
        other.silent = true;
        other.deliver(101);
        other.note();
        long begun = System.nanoTime();
        assertThat(towns(ask())).hasSize(40);
        Duration first = Duration.ofNanos(System.nanoTime() - begun);
        assertThat(first).isLessThan(Duration.ofSeconds(2));

        int before = asked;
        assertThat(towns(ask())).hasSize(40);
        assertThat(asked).as("the silent one is asked last from then on").isEqualTo(before + 1);

        other.silent = false;
        other.deliver(102);
        other.note();
        before = asked;
        assertThat(towns(ask())).hasSize(40);
        assertThat(asked).isEqualTo(before + 1);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aRouteThatIsOutOfDateIsReadAgain() throws Exception {
        Worker other = twoWorkers();
        Worker third = new Worker("third", "a", 2, 3);
        fill(third);
        other.refusal = Optional.of("it has lost its partitions");
        Thread later = new Thread(() -> {
            try {
                Thread.sleep(200);
                owners.clear();
                third.note();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        later.start();
        assertThat(towns(ask("wait=20s"))).hasSize(40);
        later.join();
    }

    @Test
    void namesThePartitionsThatNoWorkerAnswersForOrLeavesThemOutOnRequest() throws Exception {
        Worker other = twoWorkers();
        other.gone = true;
        assertThatThrownBy(() -> ask("wait=200ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining(
                        "no worker answers for partitions 2, 3 (http://other: connection refused) of table people");
        try (QueryResult part = ask("allow_partial=true")) {
            assertThat(part.freshness().missingPartitions()).containsExactly(2, 3);
            assertThat(part.entries()).isNotEmpty().allMatch(entry -> entry.shard() < 2);
        }
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void answersWithoutALeaseOfItsOwn() throws Exception {
        twoWorkers();
        Worker third = new Worker("third", "b", 0, 1, 2, 3);
        fill(third);
        third.note();
        here.refusal = Optional.of("paused for too long");
        assertThat(towns(ask())).hasSize(40);
    }

    @Test
    void anAnswerFromAnotherCopyDoesNotGoBackBehindThePageBefore() throws Exception {
        Worker other = twoWorkers();
        other.put(200, 1_000, "Zürich");
        other.deliver(200);
        QueryResult first = ask("limit=3");
        String cursor = first.next().orElseThrow();

        Worker third = new Worker("third", "b", 0, 1, 2, 3);
        fill(third);
        other.gone = true;
        third.note();
        assertThatThrownBy(() -> ask("limit=3", "cursor=" + cursor, "wait=200ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("the page before held more");
        third.logs.values().forEach(log -> log.heartbeat(200));
        third.deliver(201);
        assertThat(ask("limit=3", "cursor=" + cursor).entries()).hasSize(3);
    }

    @Test
    void aPageThatLacksPartitionsDoesNotForgetWhatThePagesBeforeItHeld() throws Exception {
        Worker other = twoWorkers();
        other.deliver(200);
        String whole = ask("limit=3").next().orElseThrow();
        other.gone = true;
        QueryResult some = ask("limit=3", "allow_partial=true", "cursor=" + whole);
        assertThat(some.freshness().missingPartitions()).containsExactly(2, 3);
        String cursor = some.next().orElseThrow();

        Worker third = new Worker("third", "b", 0, 1, 2, 3);
        fill(third);
        third.note();
        assertThatThrownBy(() -> ask("limit=3", "cursor=" + cursor, "wait=600ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("the page before held more");
    }

    @Test
    void whatIsHereAndDoesNotHoldATokenYetIsAskedOfAnotherCopy() throws Exception {
        Worker third = new Worker("third", "b", 0, 1, 2, 3);
        Worker fourth = new Worker("fourth", "a", 2, 3);
        fill(here);
        fill(fourth);
        fill(third);
        third.deliver(160);
        here.note();
        fourth.note();
        third.note();
        String token = SessionToken.of("people", 1, ChangeLog.version(150)).encode();
        assertThat(towns(ask("token=" + token))).hasSize(40);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aShardThatIsBehindIsReadHereOnlyWhereTheOtherOwnersDoNotAnswerInTime() throws Exception {
        Worker third = new Worker("third", "b", 0, 1, 2, 3);
        fill(third);
        third.note();
        fill(here);
        here.note();
        here.openBehind(2);
        here.openBehind(3);
        third.silent = true;
        CompletableFuture<QueryResult> asked = queries.gather(parse("wait=20s"), Runnable::run);
        Thread.sleep(400);
        assertThat(asked).as("there is time for the other owner").isNotDone();
        third.silent = false;
        third.answerLate();
        assertThat(towns(asked.get())).hasSize(40);
        assertThat(towns(ask("wait=20s"))).hasSize(40);

        third.gone = true;
        QueryResult late = ask("wait=400ms");
        assertThat(late.freshness().state()).isEqualTo(IndexHealth.RESTORING);
        assertThat(towns(late)).hasSizeLessThan(40);
    }

    @Test
    void anAnswerThatLacksWhatAnotherWorkerHasNotedIsUsedWhereThatOneDoesNotAnswerInTime() throws Exception {
        Worker near = new Worker("near", "a", 2, 3);
        Worker far = new Worker("far", "b", 0, 1, 2, 3);
        fill(here);
        fill(far);
        near.deliver(50);
        here.note();
        far.note();
        near.note();
        assertThat(towns(ask("wait=20s"))).as("the near one is asked first").hasSize(40);

        far.silent = true;
        CompletableFuture<QueryResult> asking = queries.gather(parse("wait=20s"), Runnable::run);
        Thread.sleep(400);
        assertThat(asking).as("there is time for the far one").isNotDone();
        far.answerLate();
        assertThat(towns(asking.get())).hasSize(40);

        QueryResult late = ask("wait=400ms");
        assertThat(late.freshness().completeUpTo()).contains(ChangeLog.at(50));
        assertThat(towns(late)).hasSizeLessThan(40);
        assertThat(towns(ask("wait=20s")))
                .as("the far one is known not to answer")
                .hasSizeLessThan(40);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aTokenReachesTheWorkerThatHasItsPartition() throws Exception {
        twoWorkers();
        String token = SessionToken.of("people", 3, ChangeLog.version(150)).encode();
        assertThatThrownBy(() -> ask("token=" + token, "wait=200ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partition 3 is complete up to version");
        String lost = SessionToken.of("people", 3, new RowVersion(0, 9)).encode();
        assertThatThrownBy(() -> ask("token=" + lost)).isInstanceOf(LostTokenException.class);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aPartialAnswerNeverLeavesOutAPartitionThatATokenIsAbout() throws Exception {
        Worker other = twoWorkers();
        String[] question = {
            "allow_partial=true",
            "token=" + SessionToken.of("people", 3, ChangeLog.version(150)).encode(),
            "wait=200ms"
        };
        assertThatThrownBy(() -> ask(question))
                .as("the other worker is behind")
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partition 3 is complete up to version");

        other.gone = true;
        assertThatThrownBy(() -> ask(question))
                .as("the other worker is gone")
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partitions 2, 3 (http://other: connection refused)");

        String here = SessionToken.of("people", 1, ChangeLog.version(40)).encode();
        try (QueryResult part = ask("allow_partial=true", "token=" + here)) {
            assertThat(part.freshness().missingPartitions()).containsExactly(2, 3);
        }
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void anyNumberOfQuestionsWaitForOthersWithoutAThread() throws Exception {
        Worker other = twoWorkers();
        other.silent = true;
        Executor nothingWaits = task -> {
            throw new AssertionError("Expected nothing that waits");
        };
        List<CompletableFuture<QueryResult>> asking = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            asking.add(queries.gather(parse("wait=20s"), nothingWaits));
        }
        assertThat(asking).noneMatch(CompletableFuture::isDone);

        other.answerLate();
        for (CompletableFuture<QueryResult> each : asking) {
            assertThat(towns(each.get())).hasSize(40);
        }
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aWorkerThatHasNotReadTheNotesYetWaitsForThem() throws Exception {
        Worker other = new Worker("other", "a", 2, 3);
        fill(here);
        fill(other);
        CompletableFuture<QueryResult> asked = queries.gather(parse("wait=20s"), Runnable::run);
        here.note();
        other.note();
        assertThat(towns(asked.get())).hasSize(40);
    }

    @Test
    void whatIsAnsweredAfterTheEndIsGivenBack() throws Exception {
        Worker other = twoWorkers();
        other.silent = true;
        assertThatThrownBy(() -> ask("wait=100ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partitions 2, 3 (http://other: it has not answered yet)");
        other.answerLate();
        assertThat(budget.reserved()).isZero();
    }

    private Worker twoWorkers() throws InterruptedException {
        Worker other = new Worker("other", "a", 2, 3);
        fill(here);
        fill(other);
        here.note();
        other.note();
        return other;
    }

    private static void fill(Worker worker) {
        for (int id = 1; id <= 40; id++) {
            worker.put(id, id, "T" + id % 7 + "-" + (100 + id));
        }
        worker.deliver(100);
    }

    private static int partitionOf(int id) {
        return PEOPLE.partitionOf(new ChangeLog(PEOPLE).key(Integer.toString(id)));
    }

    private List<Optional<KeyBytes>> rows(TableDefinition table, List<KeyBytes> keys, PageMemory room) {
        return keys.stream().map(key -> Optional.of(KeyBytes.wrap(new byte[3]))).toList();
    }

    private static List<String> towns(QueryResult answer) {
        answer.close();
        return answer.entries().stream()
                .map(entry -> entry.key().get(0).toString())
                .toList();
    }

    private static List<String> reversed(List<String> all) {
        List<String> reversed = new ArrayList<>(all);
        Collections.reverse(reversed);
        return reversed;
    }

    private IndexQuery parse(String... parameters) throws Exception {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (String parameter : parameters) {
            String[] halves = parameter.split("=", 2);
            given.put(halves[0], List.of(halves[1]));
        }
        return QueryParser.parse(queries.serving(names.find("by_town")), given, QueryLimits.USUAL);
    }

    private QueryResult ask(String... parameters) throws Exception {
        try {
            return queries.gather(parse(parameters), Runnable::run).get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }
}
