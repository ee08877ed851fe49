package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.clocks.WriterClockEstimator;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryShardStore;
import dev.tidemark.worker.testkit.OwnThread;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class QueryEngineTest {
    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final IndexNames names = Tables.names(Tables.inForce(Tables.catalog()));
    private Optional<String> refusal = Optional.empty();
    private final MemoryBudget budget = new MemoryBudget(64 << 20);
    private final MemoryBudget.Part pages = budget.part("pages", 1);
    /** Bytes of each row that is fetched; 0 for rows that are gone. */
    private int fetched;

    private Runnable whileRowsAreFetched = () -> {};
    private final QueryEngine engine = new QueryEngine(
            fixture.lag(),
            new WaiterLimit(fixture.progressSignal(), 2),
            this::rows,
            pages,
            () -> refusal,
            fixture.clock());
    private final TableDefinition people = Tables.people();
    private final Map<Integer, ChangeLog> logs = new HashMap<>();
    private final Map<Integer, Long> generations = new HashMap<>();

    @BeforeEach
    void openShards() {
        for (int partition = 0; partition < 4; partition++) {
            OpenShard shard = fixture.open(new ShardId("people", partition));
            generations.put(partition, Objects.requireNonNull(shard.takeStart()).reading());
            logs.put(partition, new ChangeLog(people));
        }
        deliver(0);
    }

    @Test
    void mergesTheShardsInIndexOperation() throws Exception {
        for (int id = 1; id <= 20; id++) {
            put(id, id, "Oslo", "N" + (char) ('A' + id % 7));
        }
        deliver(100);
        List<String> ascending = names(ask("by_town", "town=Oslo"));
        assertThat(ascending).hasSize(20).isSorted();
        List<String> descending = names(ask("by_town", "town=Oslo", "order=desc"));
        assertThat(descending).containsExactlyElementsOf(reversed(ascending));
    }

    @Test
    void pagesFitTogetherWhateverIsWrittenMeanwhile() throws Exception {
        for (int id = 1; id <= 20; id++) {
            put(id, id, "Oslo", "N" + id % 7);
        }
        deliver(100);
        for (String order : List.of("asc", "desc")) {
            List<String> whole = names(ask("by_town", "town=Oslo", "order=" + order));
            List<String> paged = new ArrayList<>();
            QueryResult page = ask("by_town", "town=Oslo", "order=" + order, "limit=3");
            paged.addAll(names(page));
            while (page.next().isPresent()) {
                page = ask(
                        "by_town",
                        "town=Oslo",
                        "order=" + order,
                        "limit=3",
                        "cursor=" + page.next().get());
                paged.addAll(names(page));
            }
            assertThat(paged).isEqualTo(whole);
        }
        QueryResult first = ask("by_town", "town=Oslo", "limit=3");
        put(300, 1_000, "Oslo", "A, before them all");
        deliver(300);
        QueryResult second =
                ask("by_town", "town=Oslo", "limit=3", "cursor=" + first.next().orElseThrow());
        assertThat(names(second)).doesNotContainAnyElementsOf(names(first)).noneMatch(name -> name.startsWith("A,"));
    }

    @Test
    void tellsShardAndNewestVersionOfEachRow() throws Exception {
        put(1, 7, "Oslo", "Ada");
        put(2, 7, "Oslo", "Ada");
        deliver(100);
        QueryResult.Entry entry = ask("by_town").entries().get(0);
        assertThat(entry.version()).isEqualTo(ChangeLog.version(2));
        assertThat(entry.shard()).isEqualTo(partitionOf(7));
        assertThat(entry.primaryKey()).isEqualTo(log(7).key("7"));
    }

    @Test
    void isAsFreshAsTheSlowestShard() throws Exception {
        deliver(90);
        logs.forEach((partition, log) -> log.heartbeat(partition == 2 ? 80 : 99));
        hand();
        Freshness freshness = ask("by_town").freshness();
        assertThat(freshness.completeUpTo()).contains(ChangeLog.at(90));
        assertThat(freshness.staleness()).contains(Duration.ofSeconds(10));
        assertThat(freshness.state()).isEqualTo(IndexHealth.UNKNOWN);
    }

    @Test
    void refusesWhenAPartitionIsElsewhere() {
        fixture.shards().revoke(new ShardId("people", 3));
        fixture.run();
        assertThatThrownBy(() -> ask("by_town"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("lacks partition 3 (not assigned to this worker)");
        assertThat(fixture.stores().openReaders()).isZero();
    }

    @Test
    void aQuestionThatDemandsNothingDoesNotWaitForAPartitionThatIsElsewhere() {
        WaiterLimit noPlace = new WaiterLimit(fixture.progressSignal(), 0);
        QueryEngine impatient =
                new QueryEngine(fixture.lag(), noPlace, this::rows, pages, () -> refusal, fixture.clock());
        fixture.shards().revoke(new ShardId("people", 3));
        fixture.run();

        assertThatThrownBy(() -> ask(impatient, "by_town")).hasMessageContaining("lacks partition 3");
        assertThatThrownBy(() -> ask(impatient, "by_town", "max_staleness=1h"))
                .hasMessageContaining("too many queries wait");
    }

    @Test
    void closesWhatItOpenedWhenAShardCannotBeRead() {
        IllegalStateException broken = new IllegalStateException("a fault of the disk");
        InMemoryShardStore store = fixture.stores().opened(new ShardId("people", 2));

        store.failNextView(broken);
        assertThatThrownBy(() -> ask("by_town")).isSameAs(broken);
        assertThat(fixture.stores().openReaders()).isZero();

        store.failNextScan(broken);
        assertThatThrownBy(() -> ask("by_town")).isSameAs(broken);
        assertThat(fixture.stores().openReaders()).isZero();
    }

    @Test
    void waitsForTheWriteOfAToken() throws Exception {
        deliver(50);
        String token =
                SessionToken.of("people", partitionOf(7), ChangeLog.version(60)).encode();
        CompletableFuture<QueryResult> answer = waiting("token=" + token, "wait=30s");
        put(60, 7, "Oslo", "Ada");
        hand();
        assertThat(answer.get(20, TimeUnit.SECONDS).entries()).hasSize(1);
    }

    @Test
    void refusesATokenThatIsNotMetInTime() throws Exception {
        deliver(50);
        String token = SessionToken.of("people", 1, ChangeLog.version(60)).encode();
        assertThatThrownBy(() -> ask("by_town", "token=" + token, "wait=1ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partition 1 is complete up to version " + ChangeLog.version(50))
                .hasMessageContaining(ChangeLog.version(60).toString());
    }

    @Test
    void refusesAnAnswerThatIsTooStale() throws Exception {
        deliver(90);
        assertThat(ask("by_town", "max_staleness=10s").entries()).isEmpty();
        assertThatThrownBy(() -> ask("by_town", "max_staleness=9s", "wait=1ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("it is 10000 ms behind");
    }

    @Test
    void answersAtExactlyTheLimitAndNotANanosecondBeyond() throws Exception {
        deliver(90);
        assertThat(ask("by_town", "max_staleness=10s", "wait=0s").freshness().staleness())
                .contains(Duration.ofSeconds(10));
        fixture.clock().advance(Duration.ofNanos(1));
        assertThatThrownBy(() -> ask("by_town", "max_staleness=10s", "wait=0s"))
                .isInstanceOfSatisfying(NotAnswerableException.class, refused -> {
                    Freshness freshness = refused.freshness().orElseThrow();
                    assertThat(freshness.staleness())
                            .contains(Duration.ofSeconds(10).plusNanos(1));
                    assertThat(freshness.completeUpTo()).contains(ChangeLog.at(90));
                })
                .hasMessageContaining("it is 10001 ms behind");
    }

    @Test
    void progressJustBeforeTheEndOfTheWaitCounts() throws Exception {
        deliver(90);
        CompletableFuture<QueryResult> answer = waiting("max_staleness=1s", "wait=30s");
        logs.values().forEach(log -> log.heartbeat(99));
        hand();
        assertThat(answer.get(20, TimeUnit.SECONDS).freshness().staleness()).contains(Duration.ofSeconds(1));
    }

    @Test
    void anUnknownStalenessIsTooStale() {
        LagMeter withoutTheWritersTime =
                new LagMeter(fixture.shards(), fixture.clock(), new WriterClockEstimator(ChangeLog.START));
        QueryEngine unsure = new QueryEngine(
                withoutTheWritersTime,
                new WaiterLimit(fixture.progressSignal(), 2),
                this::rows,
                pages,
                () -> refusal,
                fixture.clock());
        assertThatThrownBy(() -> ask(unsure, "by_town", "max_staleness=1h", "wait=1ms"))
                .isInstanceOfSatisfying(
                        NotAnswerableException.class,
                        refused -> assertThat(refused.freshness().orElseThrow().staleness())
                                .isEmpty())
                .hasMessageContaining("is not known");
    }

    @Test
    void theTimeThatAnsweringTakesCounts() throws Exception {
        put(1, 7, "Oslo", "Ada");
        deliver(90);
        whileRowsAreFetched = () -> fixture.clock().advance(Duration.ofSeconds(5));
        assertThat(ask("by_town", "fetch=row").freshness().staleness()).contains(Duration.ofSeconds(15));
        assertThatThrownBy(() -> ask("by_town", "fetch=row", "max_staleness=17s", "wait=2s"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("it is 20000 ms behind");
    }

    @Test
    void triesAgainWhenItGrewTooOldWhileAnsweringAndThereIsTimeLeft() throws Exception {
        put(1, 7, "Oslo", "Ada");
        deliver(99);
        whileRowsAreFetched = () -> {
            whileRowsAreFetched = () -> {};
            fixture.clock().advance(Duration.ofSeconds(5));
            logs.values().forEach(log -> log.heartbeat(105));
            hand();
        };
        QueryResult answer = ask("by_town", "fetch=row", "max_staleness=2s", "wait=20s");
        assertThat(answer.freshness().completeUpTo()).contains(ChangeLog.at(105));
        assertThat(answer.rows().orElseThrow()).hasSize(1);
    }

    @Test
    void triesAgainAfterAWaitToo() throws Exception {
        put(1, 7, "Oslo", "Ada");
        deliver(90);
        CompletableFuture<@Nullable Void> handed = new CompletableFuture<>();
        whileRowsAreFetched = () -> {
            handed.join();
            whileRowsAreFetched = () -> {};
            fixture.clock().advance(Duration.ofSeconds(5));
            logs.values().forEach(log -> log.heartbeat(105));
            hand();
        };
        CompletableFuture<QueryResult> answer = waiting("fetch=row", "max_staleness=2s", "wait=30s");
        logs.values().forEach(log -> log.heartbeat(99));
        hand();
        handed.complete(null);

        assertThat(answer.get(20, TimeUnit.SECONDS).freshness().completeUpTo()).contains(ChangeLog.at(105));
    }

    @Test
    void refusesATokenFromBeforeTheTableWentBackInTime() {
        deliver(50);
        String token = SessionToken.of("people", 1, new RowVersion(0, 9)).encode();

        assertThatThrownBy(() -> ask("by_town", "token=" + token))
                .isInstanceOf(LostTokenException.class)
                .hasMessageContaining("the token is of epoch 0, and the fact table is in epoch 1");
    }

    @Test
    void aDegradedIndexSaysHowManyRowsItLacks() throws Exception {
        for (int id = 1; id <= 8; id++) {
            log(id).put(id, "{\"id\":" + id + ",\"town\":{},\"name\":\"N" + id + "\"}");
        }
        deliver(99);

        Freshness lacking = ask("by_town").freshness();
        assertThat(lacking.state()).isEqualTo(IndexHealth.DEGRADED);
        assertThat(lacking.refused()).isEqualTo(8);
        Freshness whole = ask("people.whole").freshness();
        assertThat(whole.state()).isEqualTo(IndexHealth.STEADY);
        assertThat(whole.refused()).isZero();
    }

    @Test
    void answersFromMemoryOrFailsWhereADiskWouldHaveToBeRead() throws Exception {
        put(1, 7, "Oslo", "Ada");
        deliver(99);
        IndexQuery query = parse("by_town");
        try (QueryResult answer = engine.answerFromMemory(query)) {
            assertThat(answer.entries()).isEqualTo(ask("by_town").entries());
        }

        IllegalStateException notInMemory = new IllegalStateException("on disk alone");
        fixture.stores().opened(new ShardId("people", 2)).failInMemory(notInMemory);

        assertThat(ask("by_town").entries()).hasSize(1);
        assertThatThrownBy(() -> engine.answerFromMemory(query)).isSameAs(notInMemory);
        assertThat(fixture.stores().openReaders()).isZero();
    }

    @Test
    void refusesWithoutALeaseBeforeAndAfterReading() throws Exception {
        put(1, 7, "Oslo", "Ada");
        deliver(99);
        whileRowsAreFetched = () -> refusal = Optional.of("paused for too long");
        assertThatThrownBy(() -> ask("by_town", "fetch=row"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessage("paused for too long");
        assertThatThrownBy(() -> ask("by_town", "max_staleness=1ms", "wait=30s"))
                .hasMessage("paused for too long");
    }

    @Test
    void answersFromWhatIsHereWhenThatIsAllowed() throws Exception {
        for (int id = 1; id <= 20; id++) {
            put(id, id, "Oslo", "N" + id);
        }
        deliver(99);
        List<QueryResult.Entry> all = ask("by_town", "town=Oslo").entries();
        fixture.shards().revoke(new ShardId("people", 1));
        fixture.run();
        QueryResult answer = ask("by_town", "town=Oslo", "allow_partial=true", "max_staleness=1s");
        assertThat(answer.freshness().missingPartitions()).containsExactly(1);
        assertThat(answer.freshness().staleness()).contains(Duration.ofSeconds(1));
        assertThat(answer.entries())
                .containsExactlyElementsOf(
                        all.stream().filter(entry -> entry.shard() != 1).toList());
        assertThatThrownBy(() -> ask("by_town", "allow_partial=false"))
                .isInstanceOfSatisfying(
                        NotAnswerableException.class,
                        refused -> assertThat(refused.freshness().orElseThrow().missingPartitions())
                                .containsExactly(1));
    }

    @Test
    void aTokenOfAPartitionThatIsElsewhereIsNotMetInPart() throws Exception {
        deliver(99);
        fixture.shards().revoke(new ShardId("people", 1));
        fixture.run();
        String token = SessionToken.of("people", 1, ChangeLog.version(1)).encode();
        assertThatThrownBy(() -> ask("by_town", "allow_partial=true", "token=" + token, "wait=1ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partition 1");
    }

    @Test
    void aTokenOfAPartitionThatHasFailedIsNotMetByWhatWasKnownOfIt() throws Exception {
        deliver(99);
        ShardId failed = new ShardId("people", partitionOf(7));
        fixture.stores().opened(failed).failNextCommit(new IllegalStateException("the disk is full"));
        put(100, 7, "Oslo", "Ada");
        deliver(101);
        assertThat(fixture.shards().find(failed).orElseThrow().isReadable()).isFalse();
        String token = SessionToken.of("people", failed.partition(), ChangeLog.version(1))
                .encode();
        assertThatThrownBy(() -> ask("by_town", "allow_partial=true", "token=" + token, "wait=1ms"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partition " + failed.partition());
    }

    @Test
    void refusesInPartWhenNothingIsHere() {
        for (int partition = 0; partition < 4; partition++) {
            fixture.shards().revoke(new ShardId("people", partition));
        }
        fixture.run();
        assertThatThrownBy(() -> ask("by_town", "allow_partial=true")).isInstanceOf(NotAnswerableException.class);
    }

    @Test
    void namesTheFirstRowsThatMayBeMissingAndCountsThemAll() throws Exception {
        assertThat(ask("by_town").freshness().quarantined()).isEqualTo(Freshness.Quarantined.NONE);
        for (int id = 1; id <= 60; id++) {
            log(id).garbage(Integer.toString(id));
        }
        deliver(99);
        for (String index : List.of("by_town", "people.whole")) {
            Freshness.Quarantined quarantined =
                    ask(index, "limit=1").freshness().quarantined();
            assertThat(quarantined.count()).isEqualTo(60);
            assertThat(quarantined.rows()).hasSize(10).allSatisfy(row -> {
                assertThat(row.reason()).contains("ce_type");
                assertThat(people.partitionOf(row.key())).isEqualTo(row.partition());
            });
        }
        QueryResult discreet = ask("by_town").withoutQuarantinedRows();
        assertThat(discreet.freshness().quarantined()).isEqualTo(new Freshness.Quarantined(60, List.of()));
        for (int id = 1; id <= 60; id++) {
            put(100 + id, id, "Oslo", "healed");
        }
        deliver(170);
        assertThat(ask("by_town").freshness().quarantined()).isEqualTo(Freshness.Quarantined.NONE);
    }

    @Test
    void endsAnAnswerBeforeItGrowsWithoutBound() throws Exception {
        String big = "x".repeat(1_000_000);
        for (int id = 1; id <= 12; id++) {
            log(id).put(id, "{\"id\":" + id + ",\"name\":\"N" + id + "\",\"about\":\"" + big + "\"}");
        }
        deliver(100);
        QueryResult answer = ask("people.whole");
        assertThat(answer.entries()).hasSizeLessThan(12);
        assertThat(answer.next()).isPresent();
    }

    @Test
    void pagesFitTogetherWhereFetchedRowsFillThem() throws Exception {
        for (int id = 1; id <= 20; id++) {
            put(id, id, "Oslo", "N" + id % 7);
        }
        deliver(100);
        fetched = 1 << 20;
        List<String> whole = names(ask("by_town", "town=Oslo"));
        List<String> paged = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        int pages = 0;
        do {
            String[] parameters = cursor.map(text -> new String[] {"town=Oslo", "fetch=row", "cursor=" + text})
                    .orElse(new String[] {"town=Oslo", "fetch=row"});
            try (QueryResult page = ask("by_town", parameters)) {
                assertThat(page.rows().orElseThrow())
                        .hasSameSizeAs(page.entries())
                        .hasSizeBetween(1, 8);
                paged.addAll(names(page));
                cursor = page.next();
                pages++;
            }
        } while (cursor.isPresent());
        assertThat(paged).isEqualTo(whole);
        assertThat(pages).isEqualTo(3);
        assertThat(this.pages.refusals()).isZero();
    }

    @Test
    void anAnswerEndsWhereMemoryEndsAndRefusesWhereThereIsNone() throws Exception {
        String big = "x".repeat(1_000_000);
        for (int id = 1; id <= 6; id++) {
            log(id).put(id, "{\"id\":" + id + ",\"name\":\"N" + id + "\",\"about\":\"" + big + "\"}");
        }
        deliver(100);
        try (MemoryBudget.Reservation others =
                pages.tryReserve(budget.bytes() - (5 << 20)).orElseThrow()) {
            try (QueryResult answer = ask("people.whole")) {
                assertThat(answer.entries()).hasSizeBetween(1, 3);
                assertThat(answer.next()).isPresent();
            }
            assertThat(others.tryGrow((5 << 20) - (1 << 17))).isTrue();
            assertThatThrownBy(() -> ask("people.whole")).isInstanceOf(NoMemoryException.class);
            assertThat(others.tryGrow(1 << 17)).isTrue();
            assertThatThrownBy(() -> ask("by_town")).isInstanceOf(NoMemoryException.class);
        }
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void tellsHowManyBytesItHas() throws Exception {
        put(1, 7, "Oslo", "Ada");
        deliver(90);
        long entry = ask("by_town").contentBytes();
        assertThat(entry).isPositive();
        fetched = 1_000;
        assertThat(ask("by_town", "fetch=row").contentBytes()).isEqualTo(entry + 1_000);
    }

    @Test
    void givesMemoryBackWhateverBecomesOfAnAnswer() throws Exception {
        put(1, 7, "Oslo", "Ada");
        deliver(90);
        ask("by_town", "fetch=row").close();
        assertThatThrownBy(() -> ask("by_town", "max_staleness=1s", "wait=0s"))
                .isInstanceOf(NotAnswerableException.class);
        whileRowsAreFetched = () -> refusal = Optional.of("paused for too long");
        assertThatThrownBy(() -> ask("by_town", "fetch=row")).hasMessage("paused for too long");
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aQuestionThatWouldHaveToWaitIsNotAnsweredFromMemory() throws Exception {
        deliver(90);
        engine.answerFromMemory(parse("by_town", "max_staleness=10s")).close();
        assertThatThrownBy(() -> engine.answerFromMemory(parse("by_town", "max_staleness=9s", "wait=30s")))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessage("the question has to wait");
    }

    @Test
    void aPartIsReadAtOnceFromMemoryUnlessItIsLarge() throws Exception {
        put(1, 7, "Oslo", "Ada");
        deliver(90);
        List<Runnable> left = new ArrayList<>();
        assertThat(engine.ask(parse("by_town", "limit=100"), left::add)).isCompletedWithValueMatching(this::isOneEntry);
        assertThat(left).isEmpty();

        CompletableFuture<PeerAnswer> large = engine.ask(parse("by_town", "limit=101"), left::add);
        assertThat(large).isNotDone();
        assertThat(left).hasSize(1).allSatisfy(Runnable::run);
        assertThat(large).isCompletedWithValueMatching(this::isOneEntry);
    }

    @Test
    void aPartThatIsNoLongerWantedWhileItIsReadIsGivenBack() throws Exception {
        List<CompletableFuture<PeerAnswer>> wanted = new ArrayList<>();
        QueryEngine slow = new QueryEngine(
                fixture.lag(),
                new WaiterLimit(fixture.progressSignal(), 2),
                this::rows,
                pages,
                () -> {
                    wanted.forEach(answer -> answer.cancel(true));
                    return Optional.empty();
                },
                fixture.clock());
        List<Runnable> left = new ArrayList<>();
        wanted.add(slow.ask(parse("by_town", "limit=101"), left::add));
        left.forEach(Runnable::run);
        assertThat(wanted).allMatch(CompletableFuture::isCancelled);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aPartThatCannotBeReadIsAnsweredWithTheReason() throws Exception {
        fixture.stores().opened(new ShardId("people", 2)).failNextView(new IllegalStateException("a fault"));
        assertThat(engine.ask(parse("by_town", "limit=101"), Runnable::run))
                .isCompletedWithValue(new PeerAnswer.NotAnswerable("this worker cannot read its shards; see its log"));
        PeerAnswer stopping = new PeerAnswer.NotAnswerable("the service is stopping");
        assertThat(engine.ask(parse("by_town", "limit=101"), task -> {
                    throw new RejectedExecutionException();
                }))
                .isCompletedWithValue(stopping);

        Thread.currentThread().interrupt();
        CompletableFuture<PeerAnswer> interrupted =
                engine.ask(parse("by_town", "max_staleness=1ms", "wait=30s"), Runnable::run);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted).isCompletedWithValue(stopping);
    }

    @Test
    void aPartHasNoPlaceToGoOnFromAndSaysOnlyThatThereIsMore() throws Exception {
        for (int id = 1; id <= 20; id++) {
            put(id, id, "Oslo", "N" + id);
        }
        deliver(90);
        IndexQuery part = parse("by_town", "limit=1").part(new TreeSet<>(Set.of(1, 2)), Duration.ofSeconds(1));
        assertThat(engine.answer(part).next()).contains("");
    }

    @Test
    void whereNothingIsHereTheNewestGenerationIsAskedWhichWillSayThat() throws Exception {
        for (int partition = 0; partition < 4; partition++) {
            fixture.shards().revoke(new ShardId("people", partition));
        }
        fixture.run();
        IndexNames.Found index = names.find("by_town");
        assertThat(engine.serving(index)).isEqualTo(index);
    }

    @Test
    void anEntryThatAnotherWorkerReadIsTheSameHere() throws Exception {
        put(1, 7, "Oslo", "Ada");
        deliver(90);
        QueryResult.Entry read = ask("by_town").entries().get(0);
        assertThat(QueryResult.Entry.of(
                        names.find("by_town"), read.whole(), read.shard(), read.version(), read.carried()))
                .isEqualTo(read);
    }

    private boolean isOneEntry(PeerAnswer answer) {
        return answer instanceof PeerAnswer.Found found
                && found.part().entries().size() == 1
                && budget.reserved() > 0;
    }

    private List<Optional<KeyBytes>> rows(TableDefinition table, List<KeyBytes> keys, PageMemory room) {
        whileRowsAreFetched.run();
        if (fetched == 0) {
            return Collections.nCopies(keys.size(), Optional.empty());
        }
        List<Optional<KeyBytes>> rows = new ArrayList<>();
        while (rows.size() < keys.size() && !room.isFullOfRows() && room.takeRow(fetched)) {
            rows.add(Optional.of(KeyBytes.wrap(new byte[fetched])));
        }
        return rows;
    }

    /** A question that has found its demand not met, and waits. */
    private CompletableFuture<QueryResult> waiting(String... parameters) {
        AtomicReference<@Nullable Thread> asker = new AtomicReference<>();
        CompletableFuture<QueryResult> answer = OwnThread.supply(() -> {
            asker.set(Thread.currentThread());
            try {
                return ask("by_town", parameters);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        while (!answer.isDone() && !isWaiting(asker.get())) {
            Thread.onSpinWait();
        }
        return answer;
    }

    private static boolean isWaiting(@Nullable Thread thread) {
        return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
    }

    private QueryResult ask(String index, String... parameters) throws Exception {
        return ask(engine, index, parameters);
    }

    private QueryResult ask(QueryEngine engine, String index, String... parameters) throws Exception {
        return engine.answer(parse(index, parameters));
    }

    private IndexQuery parse(String index, String... parameters) throws Exception {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (String parameter : parameters) {
            String[] halves = parameter.split("=", 2);
            given.put(halves[0], List.of(halves[1]));
        }
        return QueryParser.parse(names.find(index), given, QueryLimits.USUAL);
    }

    private void put(long number, int id, String town, String name) {
        log(id).put(number, "{\"id\":" + id + ",\"town\":\"" + town + "\",\"name\":\"" + name + "\"}");
    }

    /** Hands over what was put, and a heartbeat after it. */
    private void deliver(long heartbeat) {
        logs.values().forEach(log -> log.heartbeat(heartbeat));
        hand();
    }

    private void hand() {
        logs.forEach((partition, log) -> {
            ChangeBatch batch = log.take();
            OpenShard shard =
                    fixture.shards().find(new ShardId("people", partition)).orElseThrow();
            fixture.deliver(shard, generations.getOrDefault(partition, 0L), batch);
        });
    }

    private ChangeLog log(int id) {
        return Objects.requireNonNull(logs.get(partitionOf(id)));
    }

    private int partitionOf(int id) {
        return people.partitionOf(new ChangeLog(people).key(Integer.toString(id)));
    }

    private static List<String> names(QueryResult answer) {
        return answer.entries().stream()
                .map(entry -> entry.key().get(1).toJson().textValue() + " " + entry.primaryKey())
                .toList();
    }

    private static List<String> reversed(List<String> list) {
        List<String> reversed = new ArrayList<>(list);
        Collections.reverse(reversed);
        return reversed;
    }
}
