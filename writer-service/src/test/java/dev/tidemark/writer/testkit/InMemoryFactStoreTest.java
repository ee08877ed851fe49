package dev.tidemark.writer.testkit;

class InMemoryFactStoreTest extends FactStoreContract {
    @Override
    protected StoreFixture open() {
        return StoreFixture.inMemory();
    }
}
