package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.deploy.oracle.ExpectedEntries.AnswerJudge;
import dev.tidemark.deploy.oracle.RowTimeline;
import dev.tidemark.deploy.oracle.RowTimeline.Write;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.NoReplyInTimeException;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/**
 * Writes rows that no other client writes, without end, one request at a time, and sometimes queries what it just
 * wrote. It never writes a row again while an earlier write of it may still be under way. Owned by its thread.
 */
final class WriteClient {
    private static final int BULK = 25;

    /** A row with more possible states is left alone: each patch without an answer doubles them. */
    private static final int MOST_STATES = 64;

    /** A service that is away refuses at once: no need to ask it a thousand times a second. */
    private static final Duration AWAY_REST = Duration.ofMillis(100);

    private final DrillTarget target;
    private final HistoryRecorder books;
    private final AnswerCheck check;
    private final Random random;
    private final DrillTables.RowGenerator rows;
    private final Set<ExpectedState.RowKey> leftAlone = new HashSet<>();

    /**
     * A client with its own rows.
     *
     * @param name begins the keys of its rows
     */
    WriteClient(String name, DrillTarget target, HistoryRecorder books, Random random) {
        this.target = target;
        this.books = books;
        this.check = new AnswerCheck(target, books);
        this.random = random;
        this.rows = new DrillTables.RowGenerator(name, random);
    }

    /** Does the next write. */
    void write() throws InterruptedException {
        String table = rows.table();
        int dice = random.nextInt(100);
        if (dice < 3) {
            bulk(table);
        } else {
            ExpectedState.RowKey key = rows.key(table);
            if (books.ledger().of(table, key).possible() > MOST_STATES) {
                BoundedWait.rest(AWAY_REST);
            } else if (!leftAlone.contains(key)) {
                single(table, key, dice);
            }
        }
    }

    private void single(String table, ExpectedState.RowKey key, int dice) throws InterruptedException {
        Write write = dice < 48
                ? Write.put(key.toString(), rows.row(table, key))
                : dice < 80 ? Write.patch(key.toString(), rows.patch(table)) : Write.delete(key.toString());
        HistoryRecorder.Pending pending = books.begin(table, key, write);
        try {
            Reply reply = target.writer().write(write.kind().name(), table, key.parts(), write.body());
            pending.answered(reply);
            if (reply.ok() && random.nextInt(4) == 0) {
                askForOwn(table, pending, write, reply.json());
            }
        } catch (IOException e) {
            unanswered(e, Set.of(key), List.of(pending));
        }
    }

    private void askForOwn(String table, HistoryRecorder.Pending pending, Write write, JsonNode reply)
            throws InterruptedException {
        IndexDefinition index = DrillTables.anyStable(table, random);
        JsonNode written = write.body().path(DrillTables.asked(index));
        String value = written.isTextual() ? written.asText() : DrillTables.RowGenerator.anyValue(index, random);
        AnswerCheck.Own own = new AnswerCheck.Own(pending, reply.path("token").asText());
        check.ask(new AnswerCheck.Question(index, value, Optional.of(own)));
    }

    private void bulk(String table) throws InterruptedException {
        Set<ExpectedState.RowKey> keys = new LinkedHashSet<>();
        while (keys.size() < BULK) {
            keys.add(rows.key(table));
        }
        keys.removeAll(leftAlone);
        List<HistoryRecorder.Pending> pending = new ArrayList<>();
        List<ObjectNode> lines = new ArrayList<>();
        for (ExpectedState.RowKey key : keys) {
            boolean delete = random.nextInt(5) == 0;
            Write write = delete ? Write.delete(key.toString()) : Write.put(key.toString(), rows.row(table, key));
            ObjectNode deletion = RowJson.mapper().createObjectNode();
            deletion.set("$delete", key.json());
            lines.add(delete ? deletion : write.body());
            pending.add(books.begin(table, key, write));
        }
        try {
            settle(pending, target.writer().load(table, lines));
        } catch (IOException e) {
            unanswered(e, keys, pending);
        }
    }

    private void unanswered(IOException reason, Set<ExpectedState.RowKey> keys, List<HistoryRecorder.Pending> pending)
            throws InterruptedException {
        if (reason instanceof ConnectException) {
            pending.forEach(one -> one.failed("nothing was sent"));
            BoundedWait.rest(AWAY_REST);
            return;
        }
        if (reason instanceof NoReplyInTimeException) {
            leftAlone.addAll(keys);
        }
        pending.forEach(one -> one.unknown(reason.toString()));
    }

    private static void settle(List<HistoryRecorder.Pending> pending, Reply reply) {
        if (reply.isRefusedWrite()) {
            pending.forEach(one -> one.failed(reply.toString()));
            return;
        }
        if (!reply.ok()) {
            // It is streamed: the lines before the one that was refused may be in.
            pending.forEach(one -> one.unknown(reply.toString()));
            return;
        }
        Set<Integer> rejected = new HashSet<>();
        reply.json()
                .path("rejected")
                .forEach(one -> rejected.add(one.path("line").asInt()));
        for (int i = 0; i < pending.size(); i++) {
            if (rejected.contains(i + 1)) {
                pending.get(i).rejected();
            } else {
                pending.get(i).acknowledged("", Optional.empty());
            }
        }
    }

    /**
     * Asks an index, and holds the answer against what every row could be up to when the answer says that it is
     * complete.
     */
    record AnswerCheck(DrillTarget target, HistoryRecorder books) {
        /** By how much the staleness in an answer may be too small: a sampling period, as for the prober. */
        private static final Duration TOLERANCE = Duration.ofMillis(100);

        private static final int GONE = 410;
        private static final int MOST = 1_000;

        /** No answer for now: not ready, no lease, no such index yet, token not reached. */
        private static final Set<Integer> REFUSALS = Set.of(404, 425, 429, 503);

        /**
         * What to ask.
         *
         * @param value of the first part of the key
         * @param own a write that the answer must hold, and its token
         */
        record Question(IndexDefinition index, String value, Optional<Own> own) {}

        /** A write of the asker. */
        record Own(HistoryRecorder.Pending write, String token) {}

        /** Asks an index that does not change for anything. */
        void askAny(Random random) throws InterruptedException {
            String name = DrillTables.WRITTEN.get(random.nextInt(DrillTables.WRITTEN.size()));
            IndexDefinition index = DrillTables.anyStable(name, random);
            ask(new Question(index, DrillTables.RowGenerator.anyValue(index, random), Optional.empty()));
        }

        void ask(Question question) throws InterruptedException {
            DrillFindings findings = books.findings();
            Clock clock = books.clock();
            Instant asked = clock.instant();
            Reply reply;
            try {
                String index = question.index().qualifiedName();
                reply = target.worker().get(ServiceCaller.entriesOf(index, parameters(question)));
            } catch (IOException e) {
                findings.count(DrillFindings.Kind.UNANSWERED, 1);
                BoundedWait.rest(AWAY_REST);
                return;
            }
            Instant answered = clock.instant();
            if (reply.ok()) {
                judge(question, reply.json(), asked, answered);
            } else {
                findings.count(DrillFindings.Kind.REFUSED, 1);
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
            // Which of its layouts a table answers from is not known.
            List<AnswerJudge> judges = DrillTables.layouts(question.index().table()).stream()
                    .map(table -> new AnswerJudge(table, question.index(), TextNode.valueOf(question.value())))
                    .toList();
            Map<String, List<JsonNode>> rows = AnswerJudge.byRow(answer);
            List<String> wrong = new ArrayList<>();
            for (ExpectedState.Entry entry : books.ledger().all(question.index().table())) {
                List<JsonNode> found =
                        Optional.ofNullable(rows.remove(entry.key().toString())).orElse(List.of());
                List<RowTimeline.State> states = states(question, entry, surely, answered);
                judges.stream()
                        .map(judge -> judge.judge(entry.key().json(), states, found))
                        .min(Comparator.comparingInt(List::size))
                        .orElseThrow()
                        .stream()
                        .map(sentence -> sentence + "; " + answer.path("freshness"))
                        .forEach(wrong::add);
            }
            rows.keySet()
                    .forEach(key ->
                            wrong.add(question.index().qualifiedName() + " answered " + key + ", which nobody wrote"));
            books.findings().differ(wrong);
            books.findings()
                    .count(question.own().isPresent() ? DrillFindings.Kind.OWN_WRITES : DrillFindings.Kind.ANSWERS, 1);
        }

        /**
         * What a row may be seen as. After tables went back, and before the writer has heard of it from its topics,
         * tokens name places that indexes have been to already, so they promise nothing.
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
}
