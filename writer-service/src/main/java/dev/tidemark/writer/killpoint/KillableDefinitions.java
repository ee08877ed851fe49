package dev.tidemark.writer.killpoint;

import java.util.Optional;
import java.util.function.Consumer;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.runtime.KillPoints;
import dev.tidemark.writer.define.DefinitionLog;
import dev.tidemark.writer.define.DefinitionStore;
import dev.tidemark.writer.define.LogUnavailableException;
import dev.tidemark.writer.define.LoggedDefinitions;

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

        @Override
        public String secret() {
            return store.secret();
        }
    }

    /** A log with a place after publishing. */
    public record Log(DefinitionLog log, KillPoints points) implements DefinitionLog {
        @Override
        public void read(Consumer<LoggedDefinitions> reader) throws LogUnavailableException, InterruptedException {
            log.read(reader);
        }

        @Override
        public void publish(LoggedDefinitions message, long version)
                throws LogUnavailableException, InterruptedException {
            log.publish(message, version);
            points.reach(WriterPoint.DEFINE_PUBLISHED.label());
        }
    }
}
