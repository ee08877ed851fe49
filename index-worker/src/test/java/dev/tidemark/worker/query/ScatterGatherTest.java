package dev.tidemark.worker.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** When which worker is asked for which part, and which answers are used. The worker near is always asked first. */
class ScatterGatherTest {
    private static final Duration HEDGE = Duration.ofMillis(300);
    private static final PeerAnswer REFUSAL = new PeerAnswer.NotAnswerable("too busy");

    private final PlayedGroup group = new PlayedGroup();

    @Test
    void anotherWorkerIsAskedOnceTheFirstHasNotAnsweredForAMoment() throws Exception {
        group.note("near", "a", 100, 0, 1);
        group.note("middle", "a", 100, 2, 3);
        group.note("far", "b", 100, 0, 1);
        CompletableFuture<Gathered> gathered = gather("wait=20s");
        group.advance(HEDGE.minusMillis(1));
        group.last("middle").found(group.result(100, 2, 3));
        assertThat(group.questions()).containsExactly("near[0, 1]", "middle[2, 3]");

        group.advance(Duration.ofMillis(1));
        assertThat(group.questions()).endsWith("far[0, 1]").hasSize(3);
        group.advance(Duration.ofMillis(1));
        group.last("far").found(group.result(100, 0, 1));

        assertThat(gathered.get().missing()).isEmpty();
        assertThat(group.last("near").answer()).isCancelled();
        assertThat(group.route(0)).as("the slow one is asked last").containsExactly("far", "near");
    }

    @Test
    void aPartitionThatWasRefusedIsAskedForAgainWhileAnotherWorkerHangs() throws Exception {
        group.note("near", "a", 100, 0, 1);
        group.note("far", "b", 100, 0, 1);
        group.note("middle", "a", 100, 2, 3);
        CompletableFuture<Gathered> gathered = gather("wait=20s");
        group.advance(HEDGE);
        group.last("far").found(group.result(100, 0, 1));
        group.last("middle").answer().complete(new PeerAnswer.NotHeld("it is being opened"));
        assertThat(group.readRoutes()).isTrue();
        assertThat(group.questions()).endsWith("far[0, 1]");
        group.advance(ScatterGather.REST);
        assertThat(group.questions()).endsWith("middle[2, 3]").hasSize(4);
        group.last("middle").found(group.result(100, 2, 3));
        assertThat(gathered.get().missing()).isEmpty();
        assertThat(group.last("near").answer()).isCancelled();
    }

    @Test
    void aQuestionIsOverAtItsEndAndNoWorkerIsSuspectedThatHadLessThanAMoment() {
        group.note("near", "a", 100, 0, 1, 2, 3);
        group.note("far", "b", 100, 0, 1, 2, 3);
        CompletableFuture<Gathered> gathered = gather("wait=200ms");
        group.advance(Duration.ofMillis(199));
        assertThat(gathered).isNotDone();

        group.advance(Duration.ofMillis(1));

        assertThatThrownBy(gathered::get)
                .hasCauseInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partitions 0, 1, 2, 3 (http://near: it has not answered yet) of table");
        assertThat(group.route(0)).containsExactly("near", "far");
    }

    @Test
    void aQuestionThatWaitsForNothingLeavesOtherWorkersTheTimeToAnswer() throws Exception {
        group.note("near", "a", 100, 2, 3);
        group.open(100, 0, 1);
        CompletableFuture<QueryResult> answered = whole("wait=0s");
        group.advance(Duration.ofMillis(100));
        PlayedGroup.Question near = group.last("near");
        assertThat(near.part().demand().patience()).isZero();
        near.found(group.result(100, 2, 3));
        try (QueryResult answer = answered.get()) {
            assertThat(answer.through()).hasSize(4);
        }

        CompletableFuture<QueryResult> refused = whole("wait=0s");
        group.last("near").answer().complete(REFUSAL);
        assertThatThrownBy(refused::get)
                .as("it is not asked again")
                .hasMessageContaining("partitions 2, 3 (http://near: too busy)");
        CompletableFuture<QueryResult> late = whole("wait=0s", "allow_partial=true");
        group.advance(Duration.ofMillis(499));
        assertThat(late).isNotDone();
        group.advance(Duration.ofMillis(1));
        try (QueryResult part = late.get()) {
            assertThat(part.through()).hasSize(2);
        }
    }

    @Test
    void atTheEndItSaysThatAShardHereWaitsForWhatTheQuestionAsksFor() {
        group.note("near", "a", 100, 2, 3);
        group.open(100, 0, 1);
        CompletableFuture<Gathered> gathered = gather("max_staleness=0s", "wait=200ms");

        group.advance(Duration.ofMillis(200));

        assertThatThrownBy(gathered::get)
                .hasCauseInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("partitions 0, 1 (the worker that was asked: it has not answered yet) and 2, 3"
                        + " (http://near: it has not answered yet)")
                .hasMessageEndingWith("once it has what the token, the cursor or max_staleness asks for");
    }

    @Test
    void whileAllAreAskedItWakesOnlyForTheLastResortAndTheEnd() {
        group.note("near", "a", 100, 0, 1, 2, 3);
        CompletableFuture<Gathered> gathered = gather("wait=20s");
        group.advance(Duration.ofSeconds(20));
        assertThat(gathered).isCompletedExceptionally();
        assertThat(group.waits).containsExactly(HEDGE, Duration.ofMillis(19_400), HEDGE);
    }

    @Test
    void aGenerationThatAnotherWorkerStillAnswersFromIsRead() throws Exception {
        group.note("near", "a", 100, 0, 1, 2, 3);
        group.note("far", "b", 100, 0, 1, 2, 3);
        group.prompt.put("near", () -> new PeerAnswer.NotServing("it is being built"));
        CompletableFuture<Gathered> gathered = gather();
        group.last("far").found(group.result(100, 0, 1, 2, 3));
        assertThat(gathered.get().missing()).isEmpty();
    }

    @Test
    void aGenerationThatNoWorkerAnswersFromIsSaidNotToServeWhateverElseTheyAnswer() {
        group.note("near", "a", 100, 0, 1, 2, 3);
        group.note("far", "b", 100, 0, 1, 2, 3);
        group.prompt.put("near", () -> new PeerAnswer.NotServing("it is being built"));
        group.prompt.put("far", () -> REFUSAL);
        assertThatThrownBy(gather()::get).hasCauseInstanceOf(NotServingException.class);
    }

    @Test
    void atTheEndItSaysWhoHasNotAnsweredAndNotThatAnotherGenerationCould() {
        group.note("near", "a", 100, 0, 1);
        group.note("middle", "a", 100, 2, 3);
        group.prompt.put("near", () -> new PeerAnswer.NotServing("it is being built"));
        CompletableFuture<Gathered> gathered = gather("wait=200ms");
        group.advance(Duration.ofMillis(200));
        assertThatThrownBy(gathered::get)
                .hasCauseInstanceOf(NotAnswerableException.class)
                .hasMessageContaining(" and 2, 3 (http://middle: it has not answered yet)");
    }

    @Test
    void aLostTokenEndsTheOtherQuestionsAndGivesBackWhatWasRead() {
        group.note("near", "a", 100, 0);
        group.note("middle", "a", 100, 1, 2);
        group.note("far", "a", 100, 3);
        CompletableFuture<Gathered> gathered = gather();
        group.last("near").found(group.result(100, 0));
        group.last("far").answer().complete(new PeerAnswer.LostToken("the token is of epoch 0"));
        assertThatThrownBy(gathered::get).hasCauseInstanceOf(LostTokenException.class);
        assertThat(group.last("middle").answer()).isCancelled();
        assertThat(group.budget.reserved()).isZero();
    }

    @Test
    void onceAllHaveRefusedTheRoutesAreReadAndAllAreAskedAgain() throws Exception {
        group.note("near", "a", 100, 2, 3);
        group.open(100, 0, 1);
        CompletableFuture<Gathered> gathered = gather("wait=20s");
        group.last("near").answer().complete(new PeerAnswer.NotHeld("it does not hold them"));
        group.last("here").answer().complete(REFUSAL);
        assertThat(group.readRoutes()).isTrue();
        assertThat(group.questions()).containsExactly("near[2, 3]", "here[0, 1]");

        group.advance(ScatterGather.REST);
        assertThat(group.questions()).hasSize(4).endsWith("near[2, 3]", "here[0, 1]");
        group.last("near").found(group.result(100, 2, 3));
        group.last("here").found(group.result(100, 0, 1));
        assertThat(gathered.get().missing()).isEmpty();
    }

    @Test
    void onlyAWorkerThatCannotBeReachedIsAskedLastFromThenOn() {
        group.note("near", "a", 100, 0, 1, 2, 3);
        group.note("far", "b", 100, 0, 1, 2, 3);
        group.prompt.put("near", () -> REFUSAL);
        assertThat(gather()).isNotDone();
        assertThat(group.route(0)).containsExactly("near", "far");

        group.prompt.put("near", () -> new PeerAnswer.Unreachable("connection refused"));
        assertThat(gather()).isNotDone();
        assertThat(group.route(0)).containsExactly("far", "near");
    }

    @Test
    void aShardThatIsHereHasAllTheTimeWhereNoOtherWorkerHasItAndAMomentElsewhere() {
        group.open(100, 0, 1, 2, 3);
        CompletableFuture<Gathered> alone = gather("wait=20s");
        assertThat(group.last("here").part().demand().patience()).isEqualTo(Duration.ofSeconds(20));

        group.note("far", "b", 100, 0, 1, 2, 3);
        CompletableFuture<Gathered> together = gather("wait=20s");
        assertThat(group.last("here").part().demand().patience()).isEqualTo(HEDGE);
        assertThat(group.questions()).as("none but the one here").doesNotContain("far[0, 1, 2, 3]");
        assertThat(List.of(alone, together)).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void aShardThatIsBehindIsReadHereAtOnceWhereAPartWillDoOrTheTimeIsShort() {
        group.openBehind(50, 0, 1, 2, 3);
        group.note("far", "b", 100, 0, 1, 2, 3);
        group.prompt.put("far", () -> REFUSAL);
        CompletableFuture<Gathered> patient = gather("wait=301ms");
        assertThat(group.questions()).containsExactly("far[0, 1, 2, 3]");

        CompletableFuture<Gathered> partial = gather("wait=301ms", "allow_partial=true");
        assertThat(group.questions()).hasSize(3).endsWith("far[0, 1, 2, 3]", "here[0, 1, 2, 3]");
        CompletableFuture<Gathered> inHaste = gather("wait=300ms");
        assertThat(group.questions()).hasSize(5).endsWith("far[0, 1, 2, 3]", "here[0, 1, 2, 3]");
        assertThat(List.of(patient, partial, inHaste)).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void theNewestOfTheOldAnswersOfAWorkerIsUsedInTheEndAndTheOthersAreGivenBackBefore() throws Exception {
        group.note("near", "a", 50, 0, 1, 2, 3);
        group.note("far", "b", 100, 0, 1, 2, 3);
        CompletableFuture<Gathered> gathered = gather("wait=1s");
        group.last("near").found(group.result(50, 0, 1, 2, 3));
        group.last("far").answer().complete(REFUSAL);
        assertThat(gathered).as("there is time for the far one").isNotDone();
        group.advance(ScatterGather.REST);
        QueryResult newer = group.result(51, 0, 1, 2, 3);
        group.last("near").found(newer);
        assertThat(group.questions()).hasSize(4).endsWith("near[0, 1, 2, 3]", "far[0, 1, 2, 3]");
        assertThat(group.budget.reserved()).isEqualTo(PlayedGroup.PAGE);

        group.advance(Duration.ofMillis(649));
        assertThat(gathered).isNotDone();
        group.advance(Duration.ofMillis(1));

        try (Gathered late = gathered.get()) {
            assertThat(late.parts()).extracting(Gathered.Part::result).containsExactly(newer);
            assertThat(group.budget.reserved()).isEqualTo(PlayedGroup.PAGE);
        }
        assertThat(group.budget.reserved()).isZero();
    }

    @Test
    void oldAnswersOfSeveralWorkersAreUsedTogetherAndKeptForTheWholeAnswer() throws Exception {
        group.note("near", "a", 50, 0);
        group.note("middle", "a", 50, 1, 2);
        group.note("far", "b", 100, 0, 1, 2);
        group.note("last", "a", 100, 3);
        CompletableFuture<Gathered> gathered = gather("wait=1s");
        group.last("near").found(group.result(50, 0));
        group.last("middle").found(group.result(50, 1, 2));
        group.advance(Duration.ofMillis(700));
        assertThat(gathered).as("there is time for the last one").isNotDone();
        group.advance(Duration.ofMillis(1));
        group.last("last").found(group.result(100, 3));

        try (Gathered late = gathered.get()) {
            assertThat(late.missing()).isEmpty();
            assertThat(late.through()).hasSize(4);
            assertThat(group.budget.reserved()).isEqualTo(3 * PlayedGroup.PAGE);
        }
        assertThat(group.budget.reserved()).isZero();
    }

    @Test
    void whatOthersHaveNotedOfAPartitionThatIsAnsweredDoesNotMakeTheRestOld() throws Exception {
        group.note("near", "a", 50, 0, 1, 2, 3);
        group.note("far", "b", 100, 0);
        CompletableFuture<Gathered> gathered = gather("wait=20s");
        group.advance(HEDGE);
        group.last("far").found(group.result(100, 0));
        group.last("near").found(group.result(50, 0, 1, 2, 3));
        assertThat(gathered.get().parts())
                .extracting(part -> List.copyOf(part.partitions()))
                .containsExactly(List.of(0), List.of(1, 2, 3));
    }

    @Test
    void rowsThatPartsCountAreCountedOnceBecauseAWorkerIsAskedAgainForTheRestOfItsAnswer() throws Exception {
        group.note("near", "a", 100, 0, 1, 2, 3);
        group.note("far", "b", 100, 0);
        CompletableFuture<Gathered> gathered = gather("wait=20s");
        group.advance(HEDGE);
        group.last("far").found(counting(group.result(100, 0), 3, 5));
        group.last("near").found(counting(group.result(100, 0, 1, 2, 3), 7, 11));
        assertThat(group.questions()).containsExactly("near[0, 1, 2, 3]", "far[0]", "near[1, 2, 3]");
        assertThat(gathered).isNotDone();
        group.last("near").found(counting(group.result(100, 1, 2, 3), 4, 6));

        try (Gathered parts = gathered.get()) {
            Freshness whole = parts.freshness(group.here.clock().instant());
            assertThat(whole.quarantined().count()).isEqualTo(7);
            assertThat(whole.refused()).isEqualTo(11);
            assertThat(group.budget.reserved()).isEqualTo(2 * PlayedGroup.PAGE);
        }
        assertThat(group.budget.reserved()).isZero();
    }

    @Test
    void theRestOfAnAnswerThatCountsRowsIsUsedWhereTheTimeIsTooShortToAskAgain() throws Exception {
        group.note("near", "a", 100, 0, 1, 2, 3);
        group.note("far", "b", 100, 0);
        CompletableFuture<Gathered> gathered = gather("wait=1s");
        group.advance(HEDGE);
        group.last("far").found(counting(group.result(100, 0), 3, 5));
        group.last("near").found(counting(group.result(100, 0, 1, 2, 3), 7, 11));
        group.advance(Duration.ofMillis(399));
        assertThat(gathered).as("there is time for another answer").isNotDone();
        group.advance(Duration.ofMillis(1));

        try (Gathered parts = gathered.get()) {
            assertThat(parts.missing()).isEmpty();
            assertThat(parts.through()).hasSize(4);
        }
        assertThat(group.budget.reserved()).isZero();
    }

    @Test
    void theRestOfWhatWasReadHereIsReadAgainWhereItCountsRows() throws Exception {
        group.open(100, 0, 1, 2, 3);
        group.note("far", "b", 100, 0);
        CompletableFuture<Gathered> gathered = gather("wait=20s");
        group.advance(HEDGE);
        group.last("far").found(counting(group.result(100, 0), 3, 5));
        group.last("here").found(counting(group.result(100, 0, 1, 2, 3), 7, 11));
        assertThat(group.questions()).containsExactly("here[0, 1, 2, 3]", "far[0]", "here[1, 2, 3]");
        group.last("here").found(counting(group.result(100, 1, 2, 3), 4, 6));
        assertThat(gathered.get().freshness(group.here.clock().instant()).refused())
                .isEqualTo(11);
    }

    /** The same answer, of which rows are in quarantine, and others are refused. */
    private static QueryResult counting(QueryResult result, long quarantined, long refused) {
        Freshness known = result.freshness();
        Freshness counted = new Freshness(
                known.completeUpTo(),
                known.staleness(),
                known.state(),
                known.missingPartitions(),
                new Freshness.Quarantined(quarantined, List.of()),
                refused);
        return new QueryResult(
                result.entries(), result.next(), result.rows(), result.through(), counted, result.room());
    }

    @Test
    void anAnswerOfWhichAllWasAnsweredSoonerIsGivenBackAtOnce() throws Exception {
        group.note("near", "a", 100, 0, 1);
        group.note("middle", "a", 100, 2, 3);
        group.note("far", "b", 100, 0, 1);
        CompletableFuture<Gathered> gathered = gather("wait=20s");
        group.advance(HEDGE);
        group.last("far").found(group.result(100, 0, 1));
        group.last("near").found(group.result(100, 0, 1));
        assertThat(group.budget.reserved()).isEqualTo(PlayedGroup.PAGE);

        group.last("middle").found(group.result(100, 2, 3));
        assertThat(gathered.get().parts()).hasSize(2);
    }

    @Test
    void entriesAreMergedUpToWhereOneOfThePartsEnds() throws Exception {
        group.note("near", "a", 100, 0, 1);
        group.note("middle", "a", 100, 2, 3);
        group.note("far", "b", 100, 0);
        CompletableFuture<Gathered> gathered = gather("wait=20s", "limit=10");
        group.advance(HEDGE);
        group.last("far").found(group.result(100, 0));
        group.last("near")
                .found(group.result(
                        100, Optional.of(""), List.of(0, 1), List.of(group.entry(0, 0), group.entry(5, 1))));
        group.last("middle")
                .found(group.result(
                        100,
                        Optional.empty(),
                        List.of(2, 3),
                        List.of(group.entry(3, 2), group.entry(4, 3), group.entry(6, 2))));

        try (Gathered parts = gathered.get();
                PageMemory room = group.room()) {
            Gathered.Merged merged = parts.merge(group.parse("limit=10"), room);
            assertThat(PlayedGroup.places(merged.entries())).containsExactly(0, 3, 4, 5);
            assertThat(merged.end()).contains(group.entry(5, 1).whole());
        }
    }

    private CompletableFuture<QueryResult> whole(String... parameters) {
        return group.queries.gather(group.parse(parameters), Runnable::run);
    }

    private CompletableFuture<Gathered> gather(String... parameters) {
        IndexQuery query = group.parse(parameters);
        Instant end = group.here.clock().instant().plus(query.demand().patience());
        return new ScatterGather(query, group.queries, part -> group.ask("here", part), end, end).gather();
    }
}
