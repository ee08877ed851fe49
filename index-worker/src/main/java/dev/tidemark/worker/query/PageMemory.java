package dev.tidemark.worker.query;

import java.util.Optional;

import dev.tidemark.memory.MemoryBudget;

/**
 * The memory of one answer: what the answer holds is reserved here before more is read. Belongs to one thread, but any
 * thread may close it.
 */
public final class PageMemory implements AutoCloseable {
    /**
     * Limit in bytes for the entries, and for the fetched rows, of one answer. At the limit, the answer ends with a
     * cursor.
     */
    static final long MOST_BYTES = 8L << 20;

    /** A small answer reserves once. */
    private static final long STEP = 64L << 10;

    /** Objects around the bytes of an entry. */
    private static final long ENTRY_OBJECTS = 512;

    /** A key is held as bytes and as values, and is written as JSON, where one byte may take six. */
    private static final long KEY_COPIES = 10;

    /** A row is held as JSON, and is written once. */
    private static final long ROW_COPIES = 2;

    private final MemoryBudget.Part pages;
    private final MemoryBudget.Reservation reserved;
    private long entryBytes;
    private long rowBytes;
    private long used;

    private PageMemory(MemoryBudget.Part pages, MemoryBudget.Reservation reserved) {
        this.pages = pages;
        this.reserved = reserved;
    }

    /**
     * Room for an answer of some entries.
     *
     * @throws NoMemoryException when there is no memory left for another answer
     */
    public static PageMemory open(MemoryBudget.Part pages) throws NoMemoryException {
        return new PageMemory(pages, pages.tryReserve(STEP).orElseThrow(NoMemoryException::new));
    }

    /** Whether an answer should end after the entries that it has. */
    boolean isFull() {
        return entryBytes >= MOST_BYTES;
    }

    /** Whether an answer should end after the fetched rows that it has. */
    public boolean isFullOfRows() {
        return rowBytes >= MOST_BYTES;
    }

    /** Takes in an entry; false, and then it must not be kept, when there is no memory left for it. */
    public boolean takeEntry(int keyBytes, int carriedBytes) {
        boolean taken = take(ENTRY_OBJECTS + KEY_COPIES * keyBytes + ROW_COPIES * carriedBytes);
        entryBytes += taken ? keyBytes + carriedBytes : 0;
        return taken;
    }

    /** Takes in a row that was fetched; false, and then it must not be kept, when there is no memory left for it. */
    public boolean takeRow(int bytes) {
        boolean taken = take(ROW_COPIES * bytes);
        rowBytes += taken ? bytes : 0;
        return taken;
    }

    /** Reserves memory to read something into; empty when there is too little left. */
    public Optional<MemoryBudget.Reservation> forReading(long bytes) {
        return pages.tryReserve(bytes);
    }

    /** Bytes of entries and rows that were taken in. */
    long content() {
        return entryBytes + rowBytes;
    }

    private boolean take(long memory) {
        long missing = used + memory - reserved.bytes();
        if (missing > 0 && !reserved.tryGrow(Math.max(STEP, missing)) && !reserved.tryGrow(missing)) {
            return false;
        }
        used += memory;
        return true;
    }

    /** Gives the memory back. */
    @Override
    public void close() {
        reserved.close();
    }
}
