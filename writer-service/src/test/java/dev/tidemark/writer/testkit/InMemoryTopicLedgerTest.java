package dev.tidemark.writer.testkit;

class InMemoryTopicLedgerTest extends TopicLedgerContract {
    @Override
    protected StoreFixture open() {
        return StoreFixture.inMemory();
    }
}
