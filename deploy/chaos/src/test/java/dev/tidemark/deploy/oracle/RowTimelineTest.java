package dev.tidemark.deploy.oracle;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RowTimelineTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final RowTimeline row = new RowTimeline("k");

    @Test
    void aRowThatNobodyWroteIsNotThere() {
        assertThat(values(row.between(Instant.MIN, at(9)))).containsExactly("none");
        assertThat(row.complaintsAbout(null)).isEmpty();
        assertThat(row.complaintsAbout(fact(1, "5"))).isNotEmpty();
    }

    @Test
    void anAnswerThatIsCompleteUpToAnAcknowledgementShowsNothingOlder() {
        put(1, 2, 1, "5");
        put(3, 4, 2, "6");
        assertThat(values(row.between(at(4), at(9)))).containsExactly("2");
        assertThat(values(row.between(at(3), at(9)))).containsExactly("1", "2");
        assertThat(values(row.between(at(1), at(9)))).containsExactly("none", "1", "2");
    }

    @Test
    void anAnswerShowsNothingThatWasAskedForAfterItsEnd() {
        put(1, 2, 1, "5");
        put(3, 4, 2, "6");
        assertThat(values(row.between(at(2), at(2)))).containsExactly("1");
        assertThat(values(row.between(Instant.MIN, at(0)))).containsExactly("none");
    }

    @Test
    void aWriteThatMayBeUnderWayMayBeSeen() {
        put(1, 2, 1, "5");
        row.invoked(write(2), at(3));
        assertThat(values(row.between(at(2), at(9)))).containsExactlyInAnyOrder("1", "1", "2");
        assertThat(row.complaintsAbout(fact(1, "5"))).isEmpty();
        assertThat(row.complaintsAbout(fact(2, "6"))).isEmpty();
        assertThat(row.complaintsAbout(fact(3, "6"))).isNotEmpty();
    }

    @Test
    void aRowThatWasFoundDecidesWhatAWriteWithoutAnAnswerDid() {
        put(1, 2, 1, "5");
        row.invoked(write(2), at(3));
        row.found(fact(2, "6"));

        assertThat(row.complaintsAbout(fact(1, "5"))).isNotEmpty();
        assertThat(row.complaintsAbout(fact(2, "6"))).isEmpty();
        assertThat(values(row.between(at(2), at(9)))).containsExactlyInAnyOrder("1", "2");
        row.invoked(write(3), at(4));
        assertThat(row.complaintsAbout(fact(1, "5"))).isNotEmpty();
        assertThat(row.complaintsAbout(fact(2, "6"))).isEmpty();
    }

    @Test
    void aTableThatWentBackHasTheRowAsItWasCopied() {
        put(1, 2, 1, "5");
        put(4, 5, 2, "6");
        assertThat(row.putBack(at(3), at(6), true)).isTrue();

        assertThat(row.complaintsAbout(fact(1, "7"))).isEmpty();
        assertThat(row.complaintsAbout(fact(2, "7"))).isNotEmpty();
        assertThat(row.complaintsAbout(null)).isNotEmpty();
    }

    @Test
    void whatIsLostMayBeSeenUntilEverybodyKnows() {
        put(1, 2, 1, "5");
        put(4, 5, 2, "6");
        row.putBack(at(3), at(6), true);
        assertThat(values(row.between(at(7), at(9)))).containsExactly("2", "1");

        row.settled(at(8));
        assertThat(values(row.between(at(8), at(9)))).containsExactly("1");
    }

    @Test
    void aRowThatIsCommittedOnceMoreHasAnyHigherVersionUntilAllIsSettled() {
        put(1, 2, 1, "5");
        assertThat(row.complaintsAbout(fact(1, "7"))).isNotEmpty();

        row.mayBeRecommitted(at(2));
        assertThat(row.between(at(2), at(9)))
                .extracting(state -> state.versionIn("4"), state -> state.versionIn("7"))
                .containsExactly(tuple("5", "7"));
        assertThat(row.complaintsAbout(fact(1, "7"))).isEmpty();
        assertThat(row.complaintsAbout(fact(1, "4"))).isNotEmpty();
        assertThat(row.complaintsAbout(fact(2, "7"))).isNotEmpty();

        row.settled(at(3));
        put(4, 5, 2, "8");
        assertThat(row.complaintsAbout(fact(2, "8"))).isEmpty();
        assertThat(row.complaintsAbout(fact(2, "9"))).isNotEmpty();
    }

    @Test
    void versionsGoOnAboveWhatOthersHadSeen() {
        put(1, 2, 1, "5");
        put(4, 5, 2, "6");
        row.putBack(at(3), at(6), true);

        assertThat(row.complaintsAbout(fact(1, "5"))).isNotEmpty();
        assertThat(row.complaintsAbout(fact(1, "7"))).isEmpty();
    }

    @Test
    void versionsMayBeginAgainWhereNobodySawWhatIsLost() {
        put(1, 2, 1, "5");
        put(4, 5, 2, "6");
        row.putBack(at(3), at(6), false);
        put(7, 8, 3, "6");

        assertThat(row.complaintsAbout(fact(3, "6"))).isEmpty();
        assertThat(row.complaintsAbout(fact(1, "5"))).isNotEmpty();
    }

    @Test
    void aRowWithoutAWriteSinceTheCopyLosesNothing() {
        put(1, 2, 1, "5");
        assertThat(row.putBack(at(3), at(6), true)).isFalse();
        row.settled(at(7));
        put(8, 9, 2, "8");
        assertThat(row.complaintsAbout(fact(2, "8"))).isEmpty();
        assertThat(row.complaintsAbout(fact(2, "9"))).isNotEmpty();
    }

    @Test
    void aWriteThatWasRefusedIsNeverSeen() {
        put(1, 2, 1, "5");
        row.failed(row.invoked(write(2), at(3)));
        assertThat(values(row.between(at(2), at(9)))).containsOnly("1");
        assertThat(row.complaintsAbout(fact(2, "6"))).isNotEmpty();
    }

    @Test
    void whoAsksForAnOwnWriteSeesNothingOlder() {
        put(1, 2, 1, "5");
        int own = put(3, 4, 2, "6");
        assertThat(values(row.since(own, Instant.MIN, at(9)))).containsExactly("2");
    }

    @Test
    void aLaterAnswerTellsWhatBecameOfAWrite() {
        row.invoked(write(1), at(1));
        int delete = row.invoked(RowTimeline.Write.delete("k"), at(3));
        row.absent(delete, at(4));
        assertThat(values(row.between(Instant.MIN, at(9)))).doesNotContain("1");
        assertThat(row.complaintsAbout(null)).isEmpty();
        assertThat(row.complaintsAbout(fact(1, "5"))).isNotEmpty();
    }

    @Test
    void anAnswerThatContradictsWhatIsKnownIsNoticed() {
        put(1, 2, 1, "5");
        int again = row.invoked(write(2), at(3));
        row.acknowledged(again, at(4), "6", Optional.of(true));
        assertThat(row.complaintsAbout(fact(2, "6"))).anyMatch(text -> text.contains("says that there is no row"));
    }

    @Test
    void aVersionThatDoesNotGrowIsNoticed() {
        put(1, 2, 1, "5");
        put(3, 4, 2, "4");
        assertThat(row.complaintsAbout(fact(2, "4"))).isNotEmpty();
    }

    @Test
    void aRowWithAnotherVersionThanWasAcknowledgedIsNoticed() {
        put(1, 2, 1, "5");
        assertThat(row.complaintsAbout(fact(1, "5"))).isEmpty();
        assertThat(row.complaintsAbout(fact(1, "4"))).isNotEmpty();
        assertThat(row.complaintsAbout(fact(1, "7"))).isNotEmpty();
    }

    private int put(int invoked, int done, int value, String version) {
        int number = row.invoked(write(value), at(invoked));
        row.acknowledged(number, at(done), version, Optional.empty());
        return number;
    }

    private static RowTimeline.Write write(int value) {
        return RowTimeline.Write.put("k", body(value));
    }

    private static ObjectNode body(int value) {
        return RowJson.mapper().createObjectNode().put("value", value);
    }

    private static Fact fact(int value, String version) {
        return new Fact(TextNode.valueOf("k"), version, body(value));
    }

    private static List<String> values(List<RowTimeline.State> states) {
        return states.stream()
                .map(state -> state.row().map(row -> row.path("value").asText()).orElse("none"))
                .toList();
    }

    private static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }
}
