package dev.tidemark.deploy.kills;

/**
 * One change of one row.
 *
 * @param sequence its place among all changes; consecutive, beginning with 1
 * @param row which row, from 0
 * @param chance what decides what becomes of the row
 */
record Touch(long sequence, int row, long chance) {
    /** One of so many cases; those of different salts have nothing to do with each other. */
    int oneOf(int cases, long salt) {
        return (int) Long.remainderUnsigned(Script.mixed(chance ^ Script.mixed(salt)), cases);
    }
}
