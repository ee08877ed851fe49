package dev.tidemark.deploy.drill.load;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.drill.history.HistoryRecorder;
import dev.tidemark.deploy.drill.history.RowKey;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.oracle.Write;
import dev.tidemark.deploy.target.NoReplyInTimeException;
import dev.tidemark.deploy.target.Reply;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/**
 * Writes rows that no other client writes, without end, one request at a time, and sometimes queries what it just
 * wrote. It never writes a row again while an earlier write of it may still be under way. Owned by its thread.
 */
final class WriteClient {
    private static final int BULK = 25;

    /** A service that is away refuses at once: no need to ask it a thousand times a second. */
    private static final Duration AWAY_REST = Duration.ofMillis(100);

    private final DrillTarget target;
    private final HistoryRecorder books;
    private final AnswerCheck check;
    private final Random random;
    private final RowGenerator rows;
    private final Set<RowKey> leftAlone = new HashSet<>();

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
        this.rows = new RowGenerator(name, random);
    }

    /** Does the next write. */
    void write() throws InterruptedException {
        String table = rows.table();
        int dice = random.nextInt(100);
        if (dice < 3) {
            bulk(table);
        } else {
            RowKey key = rows.key(table);
            if (!leftAlone.contains(key)) {
                single(table, key, dice);
            }
        }
    }

    private void single(String table, RowKey key, int dice) throws InterruptedException {
        Write write = dice < 48
                ? Write.put(key.toString(), rows.row(table, key))
                : dice < 80 ? Write.patch(key.toString(), rows.patch(table)) : Write.delete(key.toString());
        HistoryRecorder.Pending pending = books.begin(table, key, write);
        try {
            Reply reply = target.write(write.kind().name(), table, key.parts(), write.body());
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
        String value = written.isTextual() ? written.asText() : RowGenerator.anyValue(index, random);
        AnswerCheck.Own own = new AnswerCheck.Own(pending, reply.path("token").asText());
        check.ask(new AnswerCheck.Question(DrillTables.table(table), index, value, Optional.of(own)));
    }

    private void bulk(String table) throws InterruptedException {
        Set<RowKey> keys = new LinkedHashSet<>();
        while (keys.size() < BULK) {
            keys.add(rows.key(table));
        }
        keys.removeAll(leftAlone);
        List<HistoryRecorder.Pending> pending = new ArrayList<>();
        List<ObjectNode> lines = new ArrayList<>();
        for (RowKey key : keys) {
            boolean delete = random.nextInt(5) == 0;
            Write write = delete ? Write.delete(key.toString()) : Write.put(key.toString(), rows.row(table, key));
            ObjectNode deletion = RowJson.mapper().createObjectNode();
            deletion.set("$delete", key.json());
            lines.add(delete ? deletion : write.body());
            pending.add(books.begin(table, key, write));
        }
        try {
            settle(pending, target.load(table, lines));
        } catch (IOException e) {
            unanswered(e, keys, pending);
        }
    }

    private void unanswered(IOException reason, Set<RowKey> keys, List<HistoryRecorder.Pending> pending)
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
}
