package dev.tidemark.worker.advise;

/**
 * The effect of updates on one generation of an index since the process began.
 *
 * @param updates changes of rows that existed before and after
 * @param moved the number of these updates that changed the keys of the row in the index
 */
public record ChangeCounts(long updates, long moved) {
    /** No update yet. */
    public static final ChangeCounts NONE = new ChangeCounts(0, 0);

    /** The part of the updates that moved entries, from 0 to 1; 0 without updates. */
    public double share() {
        return updates == 0 ? 0 : (double) moved / updates;
    }
}
