package dev.tidemark.deploy.drill.load;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.history.DrillFindings;
import dev.tidemark.deploy.drill.history.DrillFindings.Kind;
import dev.tidemark.deploy.drill.history.ExpectedState;
import dev.tidemark.deploy.drill.history.HistoryRecorder;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.oracle.AnswerJudge;
import dev.tidemark.deploy.oracle.RowTimeline;
import dev.tidemark.deploy.target.Reply;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.runtime.BoundedWait;

/**
 * Asks an index, and holds the answer against what every row could be up to when the answer says that it is complete.
 */
record AnswerCheck(DrillTarget target, HistoryRecorder books) {
    /** By how much the staleness in an answer may be too small: a sampling period, as for the prober. */
    private static final Duration TOLERANCE = Duration.ofMillis(100);

    private static final int GONE = 410;
    private static final Duration AWAY_REST = Duration.ofMillis(100);
    private static final int MOST = 1_000;

    /** No answer for now: not ready, no lease, no such index yet, token not reached. */
    private static final Set<Integer> REFUSALS = Set.of(404, 425, 429, 503);

    /**
     * What to ask.
     *
     * @param value of the first part of the key
     * @param own a write that the answer must hold, and its token
     */
    record Question(TableDefinition table, IndexDefinition index, String value, Optional<Own> own) {}

    /** A write of the asker. */
    record Own(HistoryRecorder.Pending write, String token) {}

    /** Asks an index that does not change for anything. */
    void askAny(Random random) throws InterruptedException {
        String name = DrillTables.WRITTEN.get(random.nextInt(DrillTables.WRITTEN.size()));
        IndexDefinition index = DrillTables.anyStable(name, random);
        ask(new Question(DrillTables.table(name), index, RowGenerator.anyValue(index, random), Optional.empty()));
    }

    void ask(Question question) throws InterruptedException {
        DrillFindings findings = books.findings();
        Clock clock = books.clock();
        Instant asked = clock.instant();
        Reply reply;
        try {
            reply = target.query(question.index().qualifiedName(), parameters(question));
        } catch (IOException e) {
            findings.count(Kind.UNANSWERED, 1);
            BoundedWait.rest(AWAY_REST);
            return;
        }
        Instant answered = clock.instant();
        if (reply.ok()) {
            judge(question, reply.json(), asked, answered);
        } else {
            findings.count(Kind.REFUSED, 1);
            boolean lostToken = reply.status() == GONE && books.ledger().isUnsettled();
            if (!lostToken && !REFUSALS.contains(reply.status())) {
                findings.differ(
                        List.of("a question to " + question.index().qualifiedName() + " was answered " + reply));
            }
        }
    }

    private static Map<String, String> parameters(Question question) {
        Map<String, String> parameters = new LinkedHashMap<>();
        // Quoted, so that any value is read as text.
        parameters.put(
                DrillTables.asked(question.index()),
                TextNode.valueOf(question.value()).toString());
        parameters.put("limit", Integer.toString(MOST));
        question.own().ifPresent(own -> {
            parameters.put("token", own.token());
            parameters.put("wait", "2s");
        });
        return parameters;
    }

    private void judge(Question question, JsonNode answer, Instant asked, Instant answered) {
        Instant complete = AnswerJudge.completeUpTo(answer, asked);
        Instant surely = complete.equals(Instant.MIN) ? complete : complete.minus(TOLERANCE);
        AnswerJudge judge = new AnswerJudge(question.table(), question.index(), TextNode.valueOf(question.value()));
        Map<String, List<JsonNode>> rows = AnswerJudge.byRow(answer);
        List<String> wrong = new ArrayList<>();
        for (ExpectedState.Entry entry : books.ledger().all(question.table().name())) {
            List<JsonNode> found =
                    Optional.ofNullable(rows.remove(entry.key().toString())).orElse(List.of());
            judge.judge(entry.key().json(), states(question, entry, surely, answered), found).stream()
                    .map(sentence -> sentence + "; " + answer.path("freshness"))
                    .forEach(wrong::add);
        }
        rows.keySet()
                .forEach(key ->
                        wrong.add(question.index().qualifiedName() + " answered " + key + ", which nobody wrote"));
        books.findings().differ(wrong);
        books.findings().count(question.own().isPresent() ? Kind.OWN_WRITES : Kind.ANSWERS, 1);
    }

    /**
     * What a row may be seen as. After tables went back, and before the writer has heard of it from its topics, tokens
     * name places that indexes have been to already, so they promise nothing.
     */
    private List<RowTimeline.State> states(
            Question question, ExpectedState.Entry entry, Instant complete, Instant answered) {
        return question.own()
                .map(Own::write)
                .filter(write ->
                        write.key().equals(entry.key()) && !books.ledger().isUnsettled())
                .map(write -> entry.timeline().since(write.number(), complete, answered))
                .orElseGet(() -> entry.timeline().between(complete, answered));
    }
}
