package dev.tidemark.writer.testkit;

class InMemoryOutboxTest extends OutboxContract {
    @Override
    protected StoreFixture open() {
        return StoreFixture.inMemory();
    }
}
