package dev.tidemark.worker.http;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

import org.eclipse.jetty.http.HttpHeader;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.row.TreeSize;
import dev.tidemark.worker.explain.FactTable;
import dev.tidemark.worker.query.FactRows;
import dev.tidemark.worker.query.NoMemoryException;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.PageMemory;

/** Reads the rows of an answer from the writer service, or one row with its version. For any thread. */
public final class WriterClient implements FactRows, FactTable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration ROW_PATIENCE = Duration.ofSeconds(1);

    /** The longest row that a writer can be set to take. */
    private static final int LONGEST_ROW = 16 << 20;

    private final ServiceConnection writer;
    private final RowLookups lookups;
    private final WriterCallLimit turns;

    /**
     * A client that takes a turn for each answer or row.
     *
     * @param turns those of all requests that ask the writer
     */
    public WriterClient(ServiceConnection writer, WriterCallLimit turns) {
        this.writer = writer;
        this.lookups = new RowLookups(writer);
        this.turns = turns;
    }

    @Override
    public List<Optional<KeyBytes>> lookup(TableDefinition table, List<KeyBytes> keys, PageMemory room)
            throws NotAnswerableException, InterruptedException {
        if (keys.isEmpty()) {
            return List.of();
        }
        try (WriterCallLimit.Turn turn =
                turns.take(PATIENCE).orElseThrow(() -> new NotAnswerableException(WriterCallLimit.ALL_TAKEN))) {
            return lookup(table, keys, room, turn);
        }
    }

    private List<Optional<KeyBytes>> lookup(
            TableDefinition table, List<KeyBytes> keys, PageMemory room, WriterCallLimit.Turn turn)
            throws NotAnswerableException, InterruptedException {
        List<Optional<KeyBytes>> rows = new ArrayList<>();
        boolean more = true;
        while (more && rows.size() < keys.size() && !room.isFullOfRows()) {
            more = addPiece(table, keys, room, turn, rows);
        }
        if (rows.isEmpty()) {
            throw new NoMemoryException();
        }
        return rows;
    }

    /** Adds the next rows; false when there is no memory left for more. */
    private boolean addPiece(
            TableDefinition table,
            List<KeyBytes> keys,
            PageMemory room,
            WriterCallLimit.Turn turn,
            List<Optional<KeyBytes>> rows)
            throws NotAnswerableException, InterruptedException {
        Optional<RowLookups.Piece> asked =
                lookups.ask(table, keys.subList(rows.size(), keys.size()), turn, room::forReading);
        if (asked.isEmpty()) {
            return false;
        }
        try (RowLookups.Piece piece = asked.get()) {
            for (RowLookups.LookupAnswer.Row row : piece.answer().rows()) {
                if (room.isFullOfRows()) {
                    return true;
                }
                if (!room.takeRow(row == null ? 0 : row.json().length())) {
                    return false;
                }
                rows.add(Optional.ofNullable(row).map(RowLookups.LookupAnswer.Row::json));
            }
        }
        return true;
    }

    @Override
    public Optional<FactRow> find(TableDefinition table, KeyBytes key, LongConsumer memory)
            throws NotAnswerableException, InterruptedException {
        return ask(Question.get(path(table, key)), memory, answer -> {
            memory.accept(TreeSize.mostBytes(answer.body()));
            return new FactRow(version(answer), RowDocument.parse(answer.body()));
        });
    }

    @Override
    public Optional<RowVersion> version(TableDefinition table, KeyBytes key)
            throws NotAnswerableException, InterruptedException {
        return ask(Question.head(path(table, key)), bytes -> {}, WriterClient::version);
    }

    private static String path(TableDefinition table, KeyBytes key) {
        return "/v1/tables/" + table.name() + "/rows/" + RowKeys.inPath(QueryResultJson.key(table, key));
    }

    /** What is made of an answer with a row. */
    private interface Reading<T> {
        T of(ServiceConnection.Answer answer) throws BadJsonException;
    }

    private <T> Optional<T> ask(Question question, LongConsumer memory, Reading<T> reading)
            throws NotAnswerableException, InterruptedException {
        try (WriterCallLimit.Turn turn = turns.take(ROW_PATIENCE, memory)
                .orElseThrow(() -> new NotAnswerableException(WriterCallLimit.ALL_TAKEN))) {
            ServiceConnection.Answer answer = writer.send(question, turn, LONGEST_ROW);
            return switch (answer.status()) {
                case 200 -> Optional.of(reading.of(answer));
                case 404 -> Optional.empty();
                default ->
                    throw new NotAnswerableException("the writer at " + writer + " answered the question for a row with"
                            + " status " + answer.status());
            };
        } catch (IOException e) {
            throw new NotAnswerableException("the writer at " + writer + " cannot be reached for the row");
        } catch (BadJsonException | IllegalArgumentException e) {
            throw new NotAnswerableException("the writer at " + writer + " gave no usable answer: " + e.getMessage());
        }
    }

    private static RowVersion version(ServiceConnection.Answer answer) {
        return RowVersion.parse(answer.header(HttpHeader.ETAG).orElse("").replace("\"", ""));
    }
}
