package dev.tidemark.writer.testkit;

/** Stores under test. */
public interface StoreFixture extends AutoCloseable {
    /** The stores, open, with the tables of {@link TestTables}. */
    WriterStores stores();

    /** The same stores, closed and opened again. */
    WriterStores reopened();

    @Override
    void close();

    /** Stores in memory. */
    static StoreFixture inMemory() {
        InMemoryDisk disk = new InMemoryDisk();
        return new StoreFixture() {
            @Override
            public WriterStores stores() {
                return WriterStores.on(disk);
            }

            @Override
            public WriterStores reopened() {
                return WriterStores.on(disk);
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }
}
