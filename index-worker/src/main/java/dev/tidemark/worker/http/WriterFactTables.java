package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.http.Peer;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.verify.CannotVerifyException;
import dev.tidemark.worker.verify.FactStream;
import dev.tidemark.worker.verify.Facts;

/** Asks the writer service for whole tables and for rows with their versions. For any thread. */
public final class WriterFactTables implements Facts {
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(5);

    private final Peer peer;
    private final WriterConnection writer;

    public WriterFactTables(Peer writer) {
        this.peer = writer;
        this.writer = new WriterConnection(writer, ANSWER_PATIENCE);
    }

    @Override
    public FactStream stream(TableDefinition table, boolean whole) throws CannotVerifyException {
        String rows = whole ? "whole" : "versions";
        return WriterFactStream.open(peer, "/v1/tables/" + table.name() + "/facts?rows=" + rows);
    }

    @Override
    public Found find(TableDefinition table, List<KeyBytes> keys) throws CannotVerifyException, InterruptedException {
        try {
            HttpResponse<byte[]> answer = writer.send(writer.lookup(table, keys));
            if (answer.statusCode() != 200) {
                throw unusable("status " + answer.statusCode());
            }
            return found(RowJson.parseEnvelope(answer.body()), keys);
        } catch (IOException e) {
            throw new CannotVerifyException("the writer at " + writer + " cannot be reached for the rows");
        } catch (BadJsonException | IllegalArgumentException e) {
            throw unusable(String.valueOf(e.getMessage()));
        }
    }

    private Found found(JsonNode answer, List<KeyBytes> keys) throws CannotVerifyException {
        JsonNode list = answer.path("rows");
        if (list.size() != keys.size()) {
            throw unusable(list.size() + " rows for " + keys.size() + " keys");
        }
        List<Optional<StreamedFact>> rows = new ArrayList<>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            rows.add(fact(keys.get(i), list.get(i)));
        }
        return new Found(version(answer, "from"), version(answer, "to"), rows);
    }

    private static Optional<StreamedFact> fact(KeyBytes key, JsonNode row) {
        return row.path("row") instanceof ObjectNode tree
                ? Optional.of(new StreamedFact(key, version(row, "version"), Optional.of(RowDocument.of(tree))))
                : Optional.empty();
    }

    private static RowVersion version(JsonNode object, String member) {
        return RowVersion.parse(object.path(member).asText());
    }

    private CannotVerifyException unusable(String what) {
        return new CannotVerifyException("the writer at " + writer + " gave no usable rows: " + what);
    }
}
