package dev.tidemark.writer.killpoint;

import java.util.Optional;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.runtime.KillPoints;
import dev.tidemark.writer.define.DefinitionLog;
import dev.tidemark.writer.define.DefinitionStore;
import dev.tidemark.writer.define.LogUnavailableException;

/** Where definitions are kept and where they are published, with a place after each. */
public final class KillableDefinitions {
    private KillableDefinitions() {}

    /** A store with a place after saving. */
    public record Store(DefinitionStore store, KillPoints points) implements DefinitionStore {
        @Override
        public Optional<Definitions> load() {
            return store.load();
        }

        @Override
        public void save(Definitions definitions) {
            store.save(definitions);
            points.reach(WriterPoint.DEFINE_SAVED.label());
        }
    }

    /** A log with a place after publishing. */
    public record Log(DefinitionLog log, KillPoints points) implements DefinitionLog {
        @Override
        public Optional<Definitions> find() throws LogUnavailableException, InterruptedException {
            return log.find();
        }

        @Override
        public void publish(Definitions definitions) throws LogUnavailableException, InterruptedException {
            log.publish(definitions);
            points.reach(WriterPoint.DEFINE_PUBLISHED.label());
        }
    }
}
