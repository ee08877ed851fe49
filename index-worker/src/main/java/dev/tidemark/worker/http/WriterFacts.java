package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongConsumer;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.row.TreeSize;
import dev.tidemark.worker.explain.FactTable;
import dev.tidemark.worker.query.NotAnswerableException;

/** Asks the writer service for one row with its version, and does not wait long for it. For any thread. */
public final class WriterFacts implements FactTable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The longest row that a writer can be set to take. */
    private static final int MOST_BYTES = 16 << 20;

    private final WriterConnection writer;
    private final WriterCallLimit turns;

    /**
     * A client that takes a turn for each row.
     *
     * @param turns those of all requests that ask the writer
     */
    public WriterFacts(ServiceClient writer, WriterCallLimit turns) {
        this.writer = new WriterConnection(writer);
        this.turns = turns;
    }

    @Override
    public Optional<FactRow> find(TableDefinition table, KeyBytes key, LongConsumer memory)
            throws NotAnswerableException, InterruptedException {
        return ask(at(table, key), memory, answer -> {
            memory.accept(TreeSize.mostBytes(answer.body()));
            return new FactRow(version(answer), RowDocument.parse(answer.body()));
        });
    }

    @Override
    public Optional<RowVersion> version(TableDefinition table, KeyBytes key)
            throws NotAnswerableException, InterruptedException {
        return ask(
                at(table, key).method("HEAD", HttpRequest.BodyPublishers.noBody()), bytes -> {}, WriterFacts::version);
    }

    private HttpRequest.Builder at(TableDefinition table, KeyBytes key) {
        return writer.at("/v1/tables/" + table.name() + "/rows/" + RowKeys.inPath(QueryResultJson.key(table, key)));
    }

    /** What is made of an answer with a row. */
    private interface Reading<T> {
        T of(HttpResponse<byte[]> answer) throws BadJsonException;
    }

    private <T> Optional<T> ask(HttpRequest.Builder question, LongConsumer memory, Reading<T> reading)
            throws NotAnswerableException, InterruptedException {
        try (WriterCallLimit.Turn turn =
                turns.take(PATIENCE, memory).orElseThrow(() -> new NotAnswerableException(WriterCallLimit.ALL_TAKEN))) {
            HttpResponse<byte[]> answer = writer.send(question, turn, MOST_BYTES);
            return switch (answer.statusCode()) {
                case 200 -> Optional.of(reading.of(answer));
                case 404 -> Optional.empty();
                default ->
                    throw new NotAnswerableException("the writer at " + writer + " answered the question for a row with"
                            + " status " + answer.statusCode());
            };
        } catch (IOException e) {
            throw new NotAnswerableException("the writer at " + writer + " cannot be reached for the row");
        } catch (BadJsonException | IllegalArgumentException e) {
            throw new NotAnswerableException("the writer at " + writer + " gave no usable answer: " + e.getMessage());
        }
    }

    private static RowVersion version(HttpResponse<byte[]> answer) {
        return RowVersion.parse(answer.headers().firstValue("ETag").orElse("").replace("\"", ""));
    }
}
