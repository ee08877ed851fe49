package dev.tidemark.writer.failpoint;

import java.util.Optional;
import java.util.function.Consumer;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.runtime.Failpoints;
import dev.tidemark.writer.catalog.DefinitionLog;
import dev.tidemark.writer.catalog.DefinitionStore;
import dev.tidemark.writer.catalog.LogUnavailableException;
import dev.tidemark.writer.catalog.LoggedDefinitions;

/** Where definitions are kept and where they are published, with a place after each. */
public final class FailpointDefinitions {
    private FailpointDefinitions() {}

    /** A store with a place after saving. */
    public record Store(DefinitionStore store, Failpoints points) implements DefinitionStore {
        @Override
        public Optional<Definitions> load() {
            return store.load();
        }

        @Override
        public void save(Definitions definitions) {
            store.save(definitions);
            points.reach(WriterFailpoint.DEFINE_SAVED.label());
        }

        @Override
        public String secret() {
            return store.secret();
        }
    }

    /** A log with a place after publishing. */
    public record Log(DefinitionLog log, Failpoints points) implements DefinitionLog {
        @Override
        public void read(Consumer<LoggedDefinitions> reader) throws LogUnavailableException, InterruptedException {
            log.read(reader);
        }

        @Override
        public void publish(LoggedDefinitions message, long version)
                throws LogUnavailableException, InterruptedException {
            log.publish(message, version);
            points.reach(WriterFailpoint.DEFINE_PUBLISHED.label());
        }
    }
}
