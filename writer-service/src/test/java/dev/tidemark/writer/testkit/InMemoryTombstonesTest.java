package dev.tidemark.writer.testkit;

class InMemoryTombstonesTest extends TombstonesContract {
    @Override
    protected StoreFixture open() {
        return StoreFixture.inMemory();
    }
}
