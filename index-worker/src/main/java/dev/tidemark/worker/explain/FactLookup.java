package dev.tidemark.worker.explain;

/** The result of querying the writer for a row. */
public sealed interface FactLookup {

    /** The row is there. */
    record Found(FactTable.FactRow row) implements FactLookup {}

    /** There is no such row. */
    record NoRow() implements FactLookup {}

    /** The writer was not queried, because the caller may not read rows. */
    record NotAsked() implements FactLookup {}

    /**
     * The writer could not be queried.
     *
     * @param reason why not
     */
    record NoAnswer(String reason) implements FactLookup {}
}
