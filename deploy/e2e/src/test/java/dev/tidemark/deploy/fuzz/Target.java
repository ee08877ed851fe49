package dev.tidemark.deploy.fuzz;

import dev.tidemark.fuzz.CatalogTarget;
import dev.tidemark.fuzz.ChangeTarget;
import dev.tidemark.fuzz.FactStreamTarget;
import dev.tidemark.fuzz.FuzzTarget;
import dev.tidemark.fuzz.KeyTarget;
import dev.tidemark.fuzz.RowTarget;
import dev.tidemark.fuzz.TokenTarget;
import dev.tidemark.worker.http.WorkerTarget;
import dev.tidemark.worker.query.QuestionTarget;
import dev.tidemark.writer.http.WriterTarget;

/** What is fuzzed. Its inputs are kept in {@code src/test/resources/fuzz}, in a directory with its name. */
public enum Target {
    CHANGE,
    CATALOG,
    KEY,
    TOKEN,
    ROW,
    JOURNEY,
    FACTS,
    QUESTION,
    WRITER,
    WORKER;

    /** A new one; to be closed when it can be. */
    FuzzTarget make() throws Exception {
        return switch (this) {
            case CHANGE -> new ChangeTarget();
            case CATALOG -> new CatalogTarget();
            case KEY -> new KeyTarget();
            case TOKEN -> new TokenTarget();
            case ROW -> new RowTarget();
            case JOURNEY -> new JourneyTarget();
            case FACTS -> new FactStreamTarget();
            case QUESTION -> new QuestionTarget();
            case WRITER -> new WriterTarget();
            case WORKER -> new WorkerTarget();
        };
    }
}
