package dev.tidemark.writer.rocks;

import java.nio.file.Path;

import dev.tidemark.rocks.StoreException;
import dev.tidemark.writer.commit.FactsDamage;

/** What is on disk of the fact tables is not what was written. */
public final class FactsDamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    FactsDamagedException(Path path, StoreException cause) {
        super("the fact tables at " + path + " are damaged: " + cause.getMessage() + "; " + FactsDamage.REMEDY, cause);
    }
}
