package dev.tidemark.worker.verify;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.testkit.ChangeLog;

/** A table that a test writes down. */
public final class ListedFacts implements FactReader {
    private final NavigableMap<KeyBytes, StreamedFact> rows = new TreeMap<>();
    private long last;
    private boolean away;
    private Runnable begun = () -> {};
    private Runnable ending = () -> {};

    /** A row, committed under that number. */
    public void put(long number, KeyBytes key, String row) {
        RowDocument document = RowDocument.stored(row.getBytes(StandardCharsets.UTF_8));
        rows.put(key, new StreamedFact(key, ChangeLog.version(number), Optional.of(document)));
        last = number;
    }

    /** Nobody answers. */
    void away() {
        away = true;
    }

    /** Does something whenever the table begins to be read, and when all its rows have been but the last. */
    void meanwhile(Runnable atTheBeginning, Runnable beforeTheEnd) {
        begun = atTheBeginning;
        ending = beforeTheEnd;
    }

    @Override
    public FactStream stream(TableDefinition table, boolean whole) throws CannotVerifyException {
        if (away) {
            throw new CannotVerifyException("the writer is away");
        }
        begun.run();
        return new Listed(
                ending,
                new FactStreamHead(version(), ChangeLog.at(last)),
                List.copyOf(rows.values()).iterator());
    }

    @Override
    public Found find(TableDefinition table, List<KeyBytes> keys) {
        return new Found(
                version(),
                version(),
                keys.stream().map(key -> Optional.ofNullable(rows.get(key))).toList(),
                List.of());
    }

    private RowVersion version() {
        return ChangeLog.version(last);
    }

    private record Listed(Runnable ending, FactStreamHead head, Iterator<StreamedFact> rows) implements FactStream {
        @Override
        public @Nullable StreamedFact next() {
            StreamedFact next = rows.hasNext() ? rows.next() : null;
            if (next != null && !rows.hasNext()) {
                ending.run();
            }
            return next;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
