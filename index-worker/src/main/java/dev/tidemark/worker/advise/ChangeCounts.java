package dev.tidemark.worker.advise;

/**
 * What updates did to one generation of an index since the process began.
 *
 * @param updates changes of rows that were there before and after
 * @param moved those of them that gave the row other keys in the index
 */
public record ChangeCounts(long updates, long moved) {
    /** No update yet. */
    public static final ChangeCounts NONE = new ChangeCounts(0, 0);

    /** The part of the updates that moved entries, from 0 to 1; 0 without updates. */
    public double share() {
        return updates == 0 ? 0 : (double) moved / updates;
    }
}
