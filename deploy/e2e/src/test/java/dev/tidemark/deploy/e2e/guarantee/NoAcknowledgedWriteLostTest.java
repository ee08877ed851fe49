package dev.tidemark.deploy.e2e.guarantee;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.oracle.RowTimeline.Write;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The memory of the clients notices every way in which a write can get lost, and nothing else. */
class NoAcknowledgedWriteLostTest {
    private final NoAcknowledgedWriteLost history = new NoAcknowledgedWriteLost();

    @Test
    void acceptsWhatWasAcknowledgedLast() {
        history.answered(put(1), answer(201, "5"));
        history.answered(put(2), answer(200, "7"));
        requireFine(fact(2, "7"));
    }

    @Test
    void acceptsANewerVersionOfTheStateThatWasAcknowledgedButNoOlderOne() {
        history.answered(put(1), answer(201, "5"));
        requireFine(fact(1, "6"));
        requireComplaint("5 was acknowledged", fact(1, "4"));
    }

    @Test
    void noticesALostWriteALostRowAndALostDelete() {
        history.answered(put(1), answer(201, "5"));
        history.answered(put(2), answer(200, "7"));
        requireComplaint("can only be", fact(1, "5"));
        requireComplaint("no row");
        history.answered(Write.delete("k"), answer(200, "8"));
        requireComplaint("can only be", fact(2, "7"));
    }

    @Test
    void acceptsThatAWriteWithoutAnAnswerWasNotDone() {
        history.answered(put(1), answer(201, "5"));
        history.unknown(put(2));
        requireComplaint("can only be", fact(3, "6"));
        requireFine(fact(1, "5"));
    }

    @Test
    void acceptsThatAWriteWithoutAnAnswerWasDone() {
        history.answered(put(1), answer(201, "5"));
        history.unknown(put(2));
        requireComplaint("can only be", fact(3, "6"));
        requireFine(fact(2, "6"));
    }

    @Test
    void learnsFromLaterAnswersWhatBecameOfAWrite() {
        history.unknown(put(1));
        history.answered(Write.patch("k", row(2)), answer(404, ""));
        requireFine();
        requireComplaint("can only be", fact(1, "5"));
    }

    @Test
    void noticesAnAnswerThatContradictsWhatWasAcknowledged() {
        history.answered(put(1), answer(201, "5"));
        history.answered(put(2), answer(201, "6"));
        requireComplaint("says that there is no row", fact(2, "6"));
    }

    @Test
    void noticesVersionsThatDoNotGrow() {
        history.answered(put(1), answer(201, "5"));
        history.answered(put(2), answer(200, "4"));
        requireComplaint("version 4 was made after 5", fact(2, "4"));
    }

    @Test
    void noticesAVersionBelowThatOfADelete() {
        history.answered(put(1), answer(201, "5"));
        history.answered(Write.delete("k"), answer(200, "8"));
        history.answered(put(2), answer(201, "6"));
        requireComplaint("version 6 was made after 8", fact(2, "6"));
    }

    @Test
    void noticesARowThatNobodyWrote() {
        requireComplaint("nobody wrote it", fact(1, "5"));
    }

    @Test
    void noticesHalfOfAnAllOrNothingLoad() {
        history.atomicUnknown(List.of(put(1), Write.put("l", row(1).put("id", "l"))));
        requireFine();
        requireComplaint("all-or-nothing", fact(1, "5"));
    }

    private void requireFine(Fact... facts) {
        assertThatCode(() -> history.check(List.of(facts))).doesNotThrowAnyException();
    }

    private void requireComplaint(String says, Fact... facts) {
        assertThatThrownBy(() -> history.check(List.of(facts)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(says);
    }

    private static Write put(int value) {
        return Write.put("k", row(value));
    }

    private static ObjectNode row(int value) {
        return RowJson.mapper().createObjectNode().put("id", "k").put("value", value);
    }

    private static Fact fact(int value, String version) {
        return new Fact(TextNode.valueOf("k"), version, row(value));
    }

    private static Answer answer(int status, String version) {
        return new Answer("PUT /k", status, Map.of(), "{\"version\":\"" + version + "\"}");
    }
}
