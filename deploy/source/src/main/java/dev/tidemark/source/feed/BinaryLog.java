package dev.tidemark.source.feed;

/** The binary log of a MariaDB, to look up what its stream leaves out. */
@FunctionalInterface
public interface BinaryLog {
    /** How a transaction ended. */
    enum End {
        COMMITTED,
        ROLLED_BACK,

        /** In another way, such as prepared: a later statement commits it. */
        OTHER
    }

    /**
     * How a transaction ended.
     *
     * @param file of the binary log
     * @param position of an event of the transaction in that file, in bytes
     */
    End end(String file, long position) throws Database.DatabaseException;
}
