package dev.tidemark.worker.explain;

/** What became of asking the writer for a row. */
public sealed interface FactLookup {

    /** The row is there. */
    record Found(FactTable.FactRow row) implements FactLookup {}

    /** There is no such row. */
    record NoRow() implements FactLookup {}

    /** The writer was not asked, because the caller may not know. */
    record NotAsked() implements FactLookup {}

    /**
     * The writer could not be asked.
     *
     * @param reason why not
     */
    record NoAnswer(String reason) implements FactLookup {}
}
