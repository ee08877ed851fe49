package dev.tidemark.worker.http;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.http.Peer;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.verify.CannotVerifyException;
import dev.tidemark.worker.verify.FactStream;
import dev.tidemark.worker.verify.Facts;

/** Asks the writer service for whole tables and for rows with their versions. For any thread. */
public final class WriterFactTables implements Facts {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Peer peer;
    private final RowLookups lookups;
    private final MemoryBudget.Part memory;
    private final Clock clock;

    /**
     * A client.
     *
     * @param memory to read rows into
     */
    public WriterFactTables(Peer writer, MemoryBudget.Part memory, Clock clock) {
        this.peer = writer;
        this.lookups = new RowLookups(writer);
        this.memory = memory;
        this.clock = clock;
    }

    @Override
    public FactStream stream(TableDefinition table, boolean whole) throws CannotVerifyException {
        String rows = whole ? "whole" : "versions";
        return WriterFactStream.open(peer, "/v1/tables/" + table.name() + "/facts?rows=" + rows);
    }

    @Override
    public Found find(TableDefinition table, List<KeyBytes> keys) throws CannotVerifyException, InterruptedException {
        List<Optional<StreamedFact>> rows = new ArrayList<>(keys.size());
        try (WriterTurns.Turn turn = WriterTurns.alone(PATIENCE, clock)) {
            RowVersion from = null;
            while (true) {
                List<KeyBytes> rest = keys.subList(rows.size(), keys.size());
                try (RowLookups.Piece piece =
                        lookups.ask(table, rest, turn, memory::tryReserve).orElseThrow(WriterFactTables::noMemory)) {
                    LookupAnswer answer = piece.answer();
                    from = from == null ? version(answer.from()) : from;
                    for (LookupAnswer.Row row : answer.rows()) {
                        rows.add(fact(keys.get(rows.size()), row));
                    }
                    if (rows.size() == keys.size()) {
                        return new Found(from, version(answer.to()), rows);
                    }
                }
            }
        } catch (NoRowsException e) {
            throw new CannotVerifyException(String.valueOf(e.getMessage()));
        } catch (BadJsonException | IllegalArgumentException e) {
            throw new CannotVerifyException("the writer at " + peer + " gave no usable rows: " + e.getMessage());
        }
    }

    private static CannotVerifyException noMemory() {
        return new CannotVerifyException("there is no memory left to read rows of the writer into");
    }

    private static Optional<StreamedFact> fact(KeyBytes key, LookupAnswer.@Nullable Row row) throws BadJsonException {
        return row == null
                ? Optional.empty()
                : Optional.of(new StreamedFact(
                        key,
                        version(row.version()),
                        Optional.of(RowDocument.parse(row.json().array()))));
    }

    private static RowVersion version(@Nullable String text) {
        return RowVersion.parse(text == null ? "" : text);
    }
}
