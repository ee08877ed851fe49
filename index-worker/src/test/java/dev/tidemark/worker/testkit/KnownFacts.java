package dev.tidemark.worker.testkit;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.worker.explain.FactTable;
import dev.tidemark.worker.query.NotAnswerableException;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A fact table in memory. */
public final class KnownFacts implements FactTable {
    private final Map<KeyBytes, FactRow> rows = new HashMap<>();
    private boolean away;
    private Runnable betweenAnswers = () -> {};

    /** Puts a film there, with the number as version. */
    public KnownFacts put(long number, String row) {
        try {
            RowDocument document = RowDocument.parse(row.getBytes(UTF_8));
            rows.put(FilmShard.films().keyOf(document.tree()), new FactRow(ChangeLog.version(number), document));
            return this;
        } catch (BadJsonException | BadKeyException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Whether nobody answers. */
    public void away(boolean gone) {
        away = gone;
    }

    /** Does something after the next answer. */
    public void afterTheNextAnswer(Runnable action) {
        betweenAnswers = action;
    }

    @Override
    public Optional<FactRow> find(TableDefinition table, KeyBytes key, LongConsumer memory)
            throws NotAnswerableException {
        if (away) {
            throw new NotAnswerableException("the writer is away");
        }
        Optional<FactRow> found = Optional.ofNullable(rows.get(key));
        Runnable now = betweenAnswers;
        betweenAnswers = () -> {};
        now.run();
        return found;
    }
}
