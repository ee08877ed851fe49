package dev.tidemark.writer.testkit;

class InMemoryDefinitionStoreTest extends DefinitionStoreContract {
    @Override
    protected StoreFixture open() {
        return StoreFixture.inMemory();
    }
}
