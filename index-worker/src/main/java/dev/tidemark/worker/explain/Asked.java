package dev.tidemark.worker.explain;

/** What became of asking the writer for a row. */
public sealed interface Asked {

    /** The row is there. */
    record Found(FactTable.FactRow row) implements Asked {}

    /** There is no such row. */
    record NoRow() implements Asked {}

    /** The writer was not asked, because the caller may not know. */
    record NotAsked() implements Asked {}

    /**
     * The writer could not be asked.
     *
     * @param reason why not
     */
    record NoAnswer(String reason) implements Asked {}
}
