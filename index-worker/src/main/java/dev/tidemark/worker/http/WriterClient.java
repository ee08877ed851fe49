package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Peer;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.query.FactRows;
import dev.tidemark.worker.query.NotAnswerableException;

/** Asks the writer service for rows, so many at a time. For any thread. */
public final class WriterClient implements FactRows {
    private static final Logger LOGGER = LoggerFactory.getLogger(WriterClient.class);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(5);
    private static final int CHUNK = 200;

    private final WriterConnection writer;

    public WriterClient(Peer writer) {
        this.writer = new WriterConnection(writer, ANSWER_PATIENCE);
    }

    @Override
    public List<Optional<JsonNode>> lookup(TableDefinition table, List<KeyBytes> keys)
            throws NotAnswerableException, InterruptedException {
        List<Optional<JsonNode>> rows = new ArrayList<>(keys.size());
        for (int from = 0; from < keys.size(); from += CHUNK) {
            rows.addAll(ask(table, keys.subList(from, Math.min(keys.size(), from + CHUNK))));
        }
        return rows;
    }

    private List<Optional<JsonNode>> ask(TableDefinition table, List<KeyBytes> keys)
            throws NotAnswerableException, InterruptedException {
        try {
            HttpResponse<byte[]> answer = writer.send(writer.lookup(table, keys));
            if (answer.statusCode() != 200) {
                throw new NotAnswerableException(
                        "the writer at " + writer + " answered a lookup of rows with status " + answer.statusCode());
            }
            return rows(RowJson.parseEnvelope(answer.body()), keys.size());
        } catch (IOException e) {
            LOGGER.debug("The writer does not answer", e);
            throw new NotAnswerableException("the writer at " + writer + " cannot be reached for the rows");
        } catch (BadJsonException e) {
            throw new NotAnswerableException("the writer at " + writer + " gave no usable answer: " + e.getMessage());
        }
    }

    private List<Optional<JsonNode>> rows(JsonNode answer, int expected) throws NotAnswerableException {
        JsonNode rows = answer.path("rows");
        if (rows.size() != expected) {
            throw new NotAnswerableException(
                    "the writer at " + writer + " answered " + rows.size() + " rows of " + expected);
        }
        List<Optional<JsonNode>> found = new ArrayList<>(expected);
        for (JsonNode row : rows) {
            found.add(row.isNull() ? Optional.empty() : Optional.of(row.path("row")));
        }
        return found;
    }
}
