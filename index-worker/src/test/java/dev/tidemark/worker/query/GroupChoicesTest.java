package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which generation is asked, whether others have to be, and how their parts are put together. */
class GroupChoicesTest {
    private static final String CHANGED = """
            tables:
              people:
                primaryKey: id
                partitions: 4
                indexes:
                  by_town: { key: [town, id], projection: keys_only }
            """;

    private final PlayedGroup group = new PlayedGroup();
    private final long old = group.by("by_town").generation().id();

    @Test
    void aWorkerThatIsAloneAsksForWhatItServesItself() throws Exception {
        group.open(100, 0, 1, 2, 3);
        assertThat(group.readRoutes()).isTrue();
        assertThat(change()).isNotEqualTo(old);
        assertThat(serving()).isEqualTo(old);
    }

    @Test
    void theNewestGenerationThatSomeWorkerServesInEachShardIsAsked() throws Exception {
        group.open(100, 0, 1, 2, 3);
        long changed = change();
        note(4, old);
        assertThat(serving()).as("another worker serves the old one alone").isEqualTo(old);
        group.withoutNotes();
        note(4, old, changed);
        assertThat(serving()).as("another worker serves both").isEqualTo(changed);
        group.withoutNotes();
        note(3, old, changed);
        assertThat(serving()).as("the shard here that no other has does not").isEqualTo(old);
    }

    @Test
    void whatAReplicaGroupWithoutMembersServedDoesNotCount() throws Exception {
        group.open(100, 0, 1, 2, 3);
        long changed = change();
        for (int partition = 0; partition < 4; partition++) {
            group.noteOfEarlier("other", "b", new ShardId("people", partition), 100, old, changed);
        }
        assertThat(serving()).isEqualTo(old);
    }

    @Test
    void whatAWorkerServedThatDoesNotAnswerDoesNotCountUntilItsNextNote() throws Exception {
        group.open(100, 0, 1, 2, 3);
        long changed = change();
        note(4, old, changed);
        assertThat(serving()).isEqualTo(changed);
        group.routes.all().forEach(group.routes::suspect);
        assertThat(serving()).isEqualTo(old);
        group.withoutNotes();
        for (int partition = 0; partition < 4; partition++) {
            group.note("other", "b", new ShardId("people", partition), 101, old, changed);
        }
        assertThat(serving()).isEqualTo(changed);
    }

    @Test
    void aWorkerThatDoesNotAnswerStillHindersAGenerationThatItDoesNotServe() throws Exception {
        long changed = change();
        note(3, old, changed);
        group.note("slow", "b", new ShardId("people", 3), 100, old);
        assertThat(serving()).isEqualTo(old);
        group.routes.of(new ShardId("people", 3)).forEach(group.routes::suspect);
        assertThat(serving()).isEqualTo(old);
    }

    @Test
    void aShardThatIsFoundDamagedBesideOtherWorkersIsBuiltAgain() throws Exception {
        note(4, old);
        group.open(100, 0, 1, 2, 3);
        ShardId id = new ShardId("people", 2);
        group.here.stores().opened(id).failNextView(new ShardDamagedException("a block is damaged").in(id));

        assertThat(group.engine.ask(group.parse("limit=101"), Runnable::run).get())
                .isInstanceOf(PeerAnswer.NotAnswerable.class);

        assertThat(group.here.shards().find(id).orElseThrow().isRebuilding()).isTrue();
    }

    @Test
    void aGenerationThatIsProvenHereIsAskedWhateverOthersServe() throws Exception {
        long changed = change();
        group.open(100, 0, 1, 2, 3);
        note(4, old);
        assertThat(serving()).isEqualTo(changed);
    }

    @Test
    void aShardThatNoWorkerHasDecidesNothing() throws Exception {
        long changed = change();
        note(3, old, changed);
        assertThat(serving()).isEqualTo(changed);
    }

    @Test
    void aWorkerIsAloneOnceTheNotesAreReadAndNoneIsOfItsTable() {
        IndexNames.Found index = group.by("by_town");
        assertThat(group.queries.isAlone(index)).as("not read yet").isFalse();
        group.note("other", "b", new ShardId("films", 0), 100, 3L);
        assertThat(group.queries.isAlone(index)).isTrue();
        group.note("other", "b", 100, 2);
        assertThat(group.queries.isAlone(index)).isFalse();
    }

    @Test
    void noOtherWorkerHasToBeAskedWhereAllIsHereAsRecentAsIsDemanded() {
        note(4, old);
        group.open(90, 0, 1, 2);
        assertThat(group.queries.isHere(group.parse())).as("one is elsewhere").isFalse();
        group.open(90, 3);
        assertThat(group.queries.isHere(group.parse())).isTrue();
        assertThat(group.queries.isHere(group.parse("max_staleness=10s"))).isTrue();
        assertThat(group.queries.isHere(group.parse("max_staleness=9s"))).isFalse();
        group.refusal = Optional.of("paused for too long");
        assertThat(group.queries.isHere(group.parse())).isFalse();
        group.withoutNotes();
        assertThat(group.queries.isHere(group.parse()))
                .as("none could be asked")
                .isTrue();
    }

    @Test
    void aShardWhereTheGenerationThatIsAskedStillBuildsIsNotHere() throws Exception {
        group.open(90, 0, 1, 2, 3);
        long changed = change();
        note(4, old, changed);
        assertThat(serving()).isEqualTo(changed);
        assertThat(group.queries.isHere(group.parse())).isFalse();
    }

    @Test
    void aShardThatIsReadAgainIsNotAsGoodAsThatOfAnotherWorker() {
        note(4, old);
        group.open(90, 0, 1, 2);
        group.openBehind(90, 3);
        assertThat(group.queries.isHere(group.parse())).isFalse();
        assertThat(group.queries.holds(group.parse())).as("it can be read").isTrue();
    }

    @Test
    void noOtherWorkerCouldDoBetterWhereAllCanBeReadHereOrNoneHasAnything() {
        note(4, old);
        group.open(90, 0, 1, 2);
        assertThat(group.queries.holds(group.parse())).as("one is elsewhere").isFalse();
        group.open(90, 3);
        assertThat(group.queries.holds(group.parse())).isTrue();
        group.refusal = Optional.of("paused for too long");
        assertThat(group.queries.holds(group.parse())).isFalse();
        group.withoutNotes();
        assertThat(group.queries.holds(group.parse())).isTrue();
    }

    @Test
    void aShardThatIsBuiltFromNothingCannotBeReadHere() {
        note(4, old);
        group.open(90, 0, 1, 2, 3);
        ShardId built = new ShardId("people", 3);
        OpenShard shard = group.here.shards().find(built).orElseThrow();
        group.here.end(built, 1_000);
        shard.requestRebuild("a test wants it");
        group.here.run();
        assertThat(shard.isReadable()).isTrue();
        assertThat(group.queries.holds(group.parse())).isFalse();
    }

    @Test
    void whatIsHereIsAnsweredWithoutTheOthers() throws Exception {
        group.open(100, 0, 1, 2, 3);
        IndexQuery query = group.parse();
        try (QueryResult answer = group.engine.answer(query);
                QueryResult fromMemory = group.engine.answerFromMemory(query)) {
            assertThat(answer.entries()).hasSize(40).isEqualTo(fromMemory.entries());
        }
        String token = SessionToken.of("people", 1, ChangeLog.version(101)).encode();
        assertThatThrownBy(() -> group.engine.answerFromMemory(group.parse("token=" + token, "wait=20s")))
                .hasMessage("the question has to wait");
        IndexQuery met = group.parse("max_staleness=1s");
        group.engine.answerFromMemory(met).close();
        assertThat(group.budget.reserved()).isZero();
    }

    @Test
    void anAnswerThatIsTooStaleIsGivenBackAndAskedForAgainWhileThereIsTime() throws Exception {
        note(4, old);
        CompletableFuture<QueryResult> asked = gather("max_staleness=20s", "wait=1s");
        group.last("other").found(group.result(70, 0, 1, 2, 3));
        assertThat(group.budget.reserved()).isZero();
        assertThat(asked).isNotDone();
        group.advance(ScatterGather.REST);
        assertThat(group.last("other").part().demand().patience()).isEqualTo(Duration.ofMillis(950));
        group.last("other").found(group.result(81, 0, 1, 2, 3));
        try (QueryResult answer = asked.get()) {
            assertThat(answer.freshness().completeUpTo()).contains(ChangeLog.at(81));
        }
        assertThat(group.budget.reserved()).isZero();
    }

    @Test
    void anAnswerThatIsTooStaleAtTheEndIsRefusedWithItsFreshness() {
        note(4, old);
        CompletableFuture<QueryResult> late = gather("max_staleness=20s", "wait=30ms");
        QueryResult stale = group.result(70, 0, 1, 2, 3);
        group.here.clock().advance(Duration.ofMillis(30));
        group.last("other").found(stale);
        assertThatThrownBy(late::get)
                .cause()
                .isInstanceOfSatisfying(
                        NotAnswerableException.class,
                        refused -> assertThat(refused.freshness().orElseThrow().completeUpTo())
                                .contains(ChangeLog.at(70)))
                .hasMessageContaining("it is 30030 ms behind");
        assertThat(group.budget.reserved()).isZero();
    }

    @Test
    void aWholeAnswerKeepsItsMemoryUntilItIsClosedAndHasNoNextPage() throws Exception {
        note(4, old);
        group.facts = (table, keys, room) -> rows(keys.size());
        CompletableFuture<QueryResult> asked = gather("fetch=row");
        group.last("other").found(group.result(100, 0, 1, 2, 3));
        try (QueryResult answer = asked.get()) {
            assertThat(answer.rows().orElseThrow()).hasSize(4);
            assertThat(answer.next()).isEmpty();
            assertThat(group.budget.reserved()).isEqualTo(PlayedGroup.PAGE);
        }
        assertThat(group.budget.reserved()).isZero();
    }

    @Test
    void anAnswerEndsWithTheLastRowThatThereWasRoomFor() throws Exception {
        note(4, old);
        group.facts = (table, keys, room) -> rows(3);
        CompletableFuture<QueryResult> asked = gather("fetch=row");
        group.last("other").found(group.result(100, 0, 1, 2, 3));
        try (QueryResult answer = asked.get()) {
            assertThat(PlayedGroup.places(answer.entries())).containsExactly(0, 1, 2);
            IndexQuery next = group.parse("cursor=" + answer.next().orElseThrow());
            assertThat(next.after()).contains(answer.entries().get(2).whole());
        }
    }

    @Test
    void anInterruptWhileRowsAreFetchedIsKeptAndItsMemoryGivenBack() {
        note(4, old);
        group.facts = (table, keys, room) -> {
            throw new InterruptedException();
        };
        CompletableFuture<QueryResult> asked = gather("fetch=row");
        group.last("other").found(group.result(100, 0, 1, 2, 3));
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(asked::get).hasCauseInstanceOf(InterruptedException.class);
        assertThat(group.budget.reserved()).isZero();
    }

    /** Another worker notes the shards up to one, and which generations answer there. */
    private void note(int end, Long... generations) {
        for (int partition = 0; partition < end; partition++) {
            group.note("other", "b", new ShardId("people", partition), 100, generations);
        }
    }

    /** Changes the index; the number of the new generation. */
    private long change() {
        Catalog changed = new Catalog(
                List.of(Tables.films(), Tables.catalog(CHANGED).tables().get(0)));
        group.here.define(group.here.definitions().changed(changed, ChangeLog.START));
        group.here.run();
        return group.by("by_town").generation().id();
    }

    private long serving() throws NotServingException {
        return group.queries.serving(group.by("by_town")).generation().id();
    }

    private CompletableFuture<QueryResult> gather(String... parameters) {
        return group.queries.gather(group.parse(parameters), Runnable::run);
    }

    private static List<Optional<KeyBytes>> rows(int count) {
        List<Optional<KeyBytes>> rows = new ArrayList<>();
        for (int row = 0; row < count; row++) {
            rows.add(Optional.of(KeyBytes.wrap(new byte[3])));
        }
        return rows;
    }
}
