package dev.tidemark.worker.explain;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;

import dev.tidemark.index.Absence;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.FilmShard;
import dev.tidemark.worker.testkit.KnownFacts;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class ExplainerTest {
    private static final String HEAT =
            "{\"id\":1,\"title\":\"Heat\",\"year\":1995,\"kind\":\"film\",\"cast\":[\"Pacino\",\"De Niro\"]}";
    private static final String UNTITLED = "{\"id\":1,\"year\":2005,\"cast\":[null]}";

    private static final RowStatus BUILT_AGAIN =
            notHeld("partition 0 of table films is built again from its topic, and what it has so far says nothing");

    private final FilmShard shelf = new FilmShard();
    private final KnownFacts facts = new KnownFacts();
    private Optional<String> refusal = Optional.empty();
    private final Explainer explainer =
            new Explainer(new RowLookup(shelf.bench().lag(), () -> refusal), facts);

    @Test
    void inTheIndexWithItsEntries() throws Exception {
        settled(5, HEAT);

        Explanation explanation = explain("by_actor");
        assertThat(explanation.outcome().kind()).isEqualTo(Kind.IN_INDEX);
        assertThat(explanation.outcome().now())
                .isInstanceOfSatisfying(
                        RowPosition.Held.class, held -> assertThat(held.keys()).hasSize(2));
        assertThat(explanation.sentence()).isEqualTo("the index holds the row with 2 entries");
        assertThat(explain("by_year").sentence()).isEqualTo("the index holds the row with 1 entry");
        assertThat(explanation.sight().flatMap(RowSnapshot::row).orElseThrow().times())
                .hasValueSatisfying(times -> {
                    assertThat(times.committedAt()).isEqualTo(ChangeLog.at(5));
                    assertThat(times.appliedAt()).isEqualTo(ChangeLog.at(100));
                });
    }

    @Test
    void noValueInAPartOfTheKey() throws Exception {
        settled(5, UNTITLED);

        assertThat(explain("by_actor").outcome()).isEqualTo(leftOut(new Absence.NoValue(0)));
        assertThat(explain("by_actor").sentence())
                .isEqualTo("the row has no entry: key field cast holds no element: cast is an array");
        assertThat(explain("by_year").outcome()).isEqualTo(leftOut(new Absence.NoValue(1)));
        assertThat(explain("by_year").sentence())
                .isEqualTo("the row has no entry: key field title has no value: title is absent");
    }

    @Test
    void aConditionThatDoesNotHoldWithTheValueOfTheRow() throws Exception {
        settled(5, HEAT);

        assertThat(explain("recent").outcome()).isEqualTo(leftOut(new Absence.Filtered(1)));
        assertThat(explain("recent").sentence())
                .isEqualTo("the row has no entry: where requires year gte 2000, but year is the number 1995");
        settled(6, HEAT.replace("film", "play"));
        assertThat(explain("recent").sentence())
                .isEqualTo("the row has no entry: where requires kind in [\"film\", \"short\"], but kind is the string"
                        + " \"play\"");
    }

    @Test
    void withoutTheValueWhereTheRowHasChangedSince() throws Exception {
        settled(5, HEAT);
        facts.put(4, UNTITLED);
        facts.afterTheNextAnswer(() -> facts.put(5, HEAT));

        assertThat(explain("recent").sentence()).isEqualTo("the row has no entry: where requires year gte 2000");
    }

    @Test
    void aVersionThatTheWriterNeverGaveIsInconsistent() throws Exception {
        settled(5, HEAT);
        shelf.log().put(99_999, HEAT.replace("1995", "2099"));
        shelf.deliver();

        RowStatus broken = explain("by_year").outcome();
        assertThat(broken.kind()).isEqualTo(Kind.INCONSISTENT);
        assertThat(broken.committed()).contains(ChangeLog.version(5));
        assertThat(broken.held()).contains(ChangeLog.version(99_999));
        assertThat(explain("by_year").sentence())
                .isEqualTo(
                        "the shard holds the row in version 0001000000000099999, which the writer never gave; the fact"
                                + " table has version 0001000000000000005; the index should be repaired");
        facts.away(true);
        assertThat(explain("by_year").outcome().kind()).isEqualTo(Kind.IN_INDEX);
    }

    @Test
    void notAppliedYetSaysHowFarBehindAndWhatWillBe() throws Exception {
        settled(5, HEAT);
        facts.put(9, UNTITLED);

        Explanation explanation = explain("by_year");
        RowStatus waiting = explanation.outcome();
        assertThat(waiting.kind()).isEqualTo(Kind.NOT_APPLIED);
        assertThat(waiting.committed()).contains(ChangeLog.version(9));
        assertThat(waiting.ahead().changesBefore()).isEqualTo(OptionalLong.of(3));
        assertThat(waiting.now()).isInstanceOf(RowPosition.Held.class);
        assertThat(waiting.then()).isEqualTo(new RowPosition.LeftOut(Optional.of(new Absence.NoValue(1))));
        assertThat(explanation.sentence())
                .isEqualTo("version 0001000000000000009 is committed and not applied here yet, with at most 3 changes"
                        + " before it; until then the index holds the row with 1 entry; then the row has no entry: key"
                        + " field title has no value: title is absent");
    }

    @Test
    void aNewRowThatIsNotAppliedYet() throws Exception {
        facts.put(9, HEAT);

        assertThat(explain("by_actor").sentence())
                .isEqualTo("version 0001000000000000009 is committed and not applied here yet, with at most 8 changes"
                        + " before it; until then nothing is known of it; then the index holds it with 2 entries");
    }

    @Test
    void aDeleteThatIsNotAppliedYet() throws Exception {
        shelf.log().put(5, HEAT);
        shelf.deliver();

        assertThat(explain("by_year").sentence())
                .isEqualTo(
                        "the row is deleted in the fact table, and that is not applied here yet; until then the index"
                                + " holds the row with 1 entry; then it is gone");
    }

    @Test
    void aRowThatCameIntoBeingWhileItWasAskedForIsNoDelete() throws Exception {
        facts.afterTheNextAnswer(() -> settled(5, HEAT));

        assertThat(explain("by_year").outcome().kind()).isEqualTo(Kind.IN_INDEX);
    }

    @Test
    void quarantinedWithItsReason() throws Exception {
        settled(5, HEAT);
        shelf.log().garbage(6, "1");
        shelf.deliver();
        facts.put(6, HEAT);

        Explanation explanation = explain("by_year");
        assertThat(explanation.outcome().kind()).isEqualTo(Kind.QUARANTINED);
        assertThat(explanation.sentence())
                .startsWith("its entries are out of the index, because a record of it is in quarantine: ")
                .contains("of.some.other.kind");
    }

    @Test
    void quarantinedByARecordWhoseVersionCannotBeRead() throws Exception {
        settled(5, HEAT);
        facts.put(6, HEAT);
        shelf.log().garbage("1");
        shelf.deliver();
        assertThat(explain("by_year").outcome().kind()).isEqualTo(Kind.NOT_APPLIED);

        shelf.log().heartbeat(6);
        shelf.deliver();
        assertThat(explain("by_year").outcome().kind()).isEqualTo(Kind.QUARANTINED);
    }

    @Test
    void deletedByAVersion() throws Exception {
        shelf.log().put(5, HEAT).delete(6, "1");
        shelf.deliver();

        assertThat(explain("by_year").outcome().kind()).isEqualTo(Kind.DELETED);
        assertThat(explain("by_year").outcome().held()).contains(ChangeLog.version(6));
        facts.away(true);
        assertThat(explain("by_year").sentence())
                .isEqualTo("the row was deleted by version 0001000000000000006; whether a newer change waits is not"
                        + " known, because the writer does not answer");
    }

    @Test
    void noSuchRowIsSaidOnlyWhenTheWriterSaysSo() throws Exception {
        shelf.log().heartbeat(5);
        shelf.deliver();
        assertThat(explain("by_year").outcome().kind()).isEqualTo(Kind.NO_SUCH_ROW);
        facts.away(true);
        assertThat(explain("by_year").outcome().kind()).isEqualTo(Kind.NOT_KNOWN);
        assertThat(explain("by_year").sentence()).contains("knows no such row").endsWith("because the writer is away");
    }

    @Test
    void withoutTheWriterTellsWhatTheWorkerKnows() throws Exception {
        settled(5, HEAT);
        facts.away(true);

        assertThat(explain("by_year").sentence())
                .isEqualTo(
                        "the index holds the row with 1 entry; whether a newer change waits is not known, because the"
                                + " writer does not answer");
        assertThat(explain("recent").sentence()).contains("where requires year gte 2000; whether");
    }

    @Test
    void aShardThatClaimsToBePastARowThatItLacksIsInconsistent() throws Exception {
        shelf.log().heartbeat(20);
        shelf.deliver();
        facts.put(9, HEAT);

        RowStatus broken = explain("by_year").outcome();
        assertThat(broken.kind()).isEqualTo(Kind.INCONSISTENT);
        assertThat(broken.committed()).contains(ChangeLog.version(9));
        assertThat(broken.held()).isEmpty();
        assertThat(explain("by_year").sentence()).contains("should be rebuilt");
    }

    @Test
    void aPartitionThatIsElsewhere() throws Exception {
        shelf.leave();

        assertThat(explain("by_year").outcome())
                .isEqualTo(notHeld("partition 0 of table films is not assigned to this worker; query the worker"
                        + " that holds it"));
        assertThat(explain("by_year").sight()).isEmpty();
        shelf.bench().brokersAway(true);
        shelf.bench().open(shelf.shard().id());
        assertThat(explain("by_year").sentence()).contains("cannot be read: it failed: the brokers are away");
    }

    @Test
    void aPartitionThatIsBuiltAgain() throws Exception {
        settled(5, HEAT);
        settled(6, UNTITLED.replace("\"id\":1", "\"id\":2"));
        shelf.log().heartbeat(7);
        shelf.deliver();
        facts.put(5, HEAT);
        shelf.bench().withoutProofs();
        shelf.rebuild();
        IndexNames.Found byYear =
                Tables.names(Tables.inForce(FilmShard.catalog())).find("by_year");

        assertThat(explainer.explainFromIndex(byYear, shelf.log().key("1")).outcome())
                .isEqualTo(BUILT_AGAIN);
        assertThat(explain("by_year").outcome().kind())
                .as("by the writer's row")
                .isEqualTo(Kind.NOT_APPLIED);
        shelf.deliver(1);
        assertThat(explainer.explainFromIndex(byYear, shelf.log().key("1")).outcome())
                .isEqualTo(BUILT_AGAIN);
        facts.away(true);
        assertThat(explain("by_year").outcome()).isEqualTo(BUILT_AGAIN);
        assertThat(explain("by_year").sight()).isEmpty();

        shelf.deliver();
        shelf.bench().proveAll();
        assertThat(explain("by_year").outcome().kind()).isEqualTo(Kind.IN_INDEX);
    }

    @Test
    void doesNotSpeakForPartitionsThatMayBeSomebodyElsesByNow() throws Exception {
        settled(5, HEAT);
        refusal = Optional.of("the lease ran out");

        assertThat(explain("by_year").outcome()).isEqualTo(notHeld("the lease ran out"));
    }

    @Test
    void tellsHowFreshTheShardIs() throws Exception {
        settled(5, HEAT);
        shelf.log().heartbeat(90);
        shelf.deliver();

        assertThat(explain("by_year").sight().orElseThrow().lag().freshness()).contains(Duration.ofSeconds(10));
    }

    private void settled(long number, String row) {
        shelf.log().put(number, row);
        shelf.deliver();
        facts.put(number, row);
    }

    private static RowStatus leftOut(Absence absence) {
        return RowStatus.leftOut(Optional.of(absence));
    }

    private static RowStatus notHeld(String reason) {
        return RowStatus.of(Kind.NOT_HELD, new RowPosition.NotHeld(reason));
    }

    private Explanation explain(String index) throws Exception {
        return explainer.explain(
                Tables.names(Tables.inForce(FilmShard.catalog())).find(index),
                shelf.log().key("1"),
                bytes -> {});
    }
}
