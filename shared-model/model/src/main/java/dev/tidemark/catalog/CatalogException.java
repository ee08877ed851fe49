package dev.tidemark.catalog;

import java.util.List;

import dev.tidemark.row.BadInputException;

/**
 * A catalog file that cannot be used. Each problem is one line: file, line and column, what was found there and what
 * was expected.
 */
public final class CatalogException extends BadInputException {
    private static final long serialVersionUID = 1L;

    public CatalogException(List<String> problems) {
        super(String.join("\n", problems));
    }

    /** Every problem, in the order of the file; at least one. */
    @Override
    public List<String> problems() {
        return getMessage().lines().toList();
    }
}
