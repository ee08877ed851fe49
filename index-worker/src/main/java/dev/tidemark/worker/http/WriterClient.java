package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.query.FactRows;
import dev.tidemark.worker.query.NoMemoryException;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.PageMemory;

/** Asks the writer service for the rows of an answer. For any thread. */
public final class WriterClient implements FactRows {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final RowLookups lookups;
    private final WriterCallLimit turns;

    /**
     * A client that takes a turn for each answer.
     *
     * @param turns those of all requests that ask the writer
     */
    public WriterClient(ServiceClient writer, WriterCallLimit turns) {
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
        } catch (RowsUnavailableException e) {
            throw new NotAnswerableException(String.valueOf(e.getMessage()));
        }
    }

    private List<Optional<KeyBytes>> lookup(
            TableDefinition table, List<KeyBytes> keys, PageMemory room, WriterCallLimit.Turn turn)
            throws NotAnswerableException, RowsUnavailableException, InterruptedException {
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
            throws RowsUnavailableException, InterruptedException {
        Optional<RowLookups.Piece> asked =
                lookups.ask(table, keys.subList(rows.size(), keys.size()), turn, room::forReading);
        if (asked.isEmpty()) {
            return false;
        }
        try (RowLookups.Piece piece = asked.get()) {
            for (LookupAnswer.Row row : piece.answer().rows()) {
                if (room.isFullOfRows()) {
                    return true;
                }
                if (!room.takeRow(row == null ? 0 : row.json().length())) {
                    return false;
                }
                rows.add(Optional.ofNullable(row).map(LookupAnswer.Row::json));
            }
        }
        return true;
    }
}
