package dev.tidemark.writer.testkit;

import java.util.Optional;
import java.util.UUID;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.writer.catalog.DefinitionStore;

/** The definitions in force, on an {@link InMemoryDisk}. */
public final class InMemoryDefinitionStore implements DefinitionStore {
    private final InMemoryDisk disk;

    public InMemoryDefinitionStore(InMemoryDisk disk) {
        this.disk = disk;
    }

    @Override
    public Optional<Definitions> load() {
        synchronized (disk) {
            return disk.definitions;
        }
    }

    @Override
    public void save(Definitions definitions) {
        synchronized (disk) {
            disk.synced(() -> disk.definitions = Optional.of(definitions));
            disk.saved();
        }
    }

    @Override
    public String secret() {
        synchronized (disk) {
            if (disk.secret.isEmpty()) {
                String made = UUID.randomUUID().toString().replace("-", "");
                disk.synced(() -> disk.secret = made);
            }
            return disk.secret;
        }
    }
}
