package dev.tidemark.worker.define;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;

import static org.assertj.core.api.Assertions.assertThat;

class DefinitionAgentTest {
    private final FollowedDefinitions followed = new FollowedDefinitions();
    private final Published source = new Published();
    private final DefinitionAgent agent = new DefinitionAgent(source, followed);

    @Test
    void knowsNoTableUntilDefinitionsAreRead() throws Exception {
        agent.doWork();

        assertThat(followed.isKnown()).isFalse();
        assertThat(followed.catalog().tables()).isEmpty();
    }

    @Test
    void followsWhatIsPublished() throws Exception {
        source.publish(version(1), version(2));

        agent.doWork();
        assertThat(followed.get().version()).isEqualTo(1);
        agent.doWork();

        assertThat(followed.isKnown()).isTrue();
        assertThat(followed.get()).isEqualTo(version(2));
        assertThat(followed.catalog().table("t")).isPresent();
    }

    @Test
    void neverGoesBack() throws Exception {
        source.publish(version(5), version(4), version(5));

        agent.doWork();
        agent.doWork();
        agent.doWork();

        assertThat(followed.get().version()).isEqualTo(5);
    }

    @Test
    void keepsWhatIsKnownWhileTheSourceFails() throws Exception {
        source.publish(version(1));
        agent.doWork();
        source.down = true;

        assertThat(agent.doWork()).isZero();
        assertThat(followed.get().version()).isEqualTo(1);

        source.down = false;
        source.publish(version(2));
        agent.doWork();
        assertThat(followed.get().version()).isEqualTo(2);
    }

    @Test
    void closesTheSourceAtTheEnd() {
        agent.onClose();

        assertThat(source.closed).isTrue();
    }

    private static Definitions version(long version) throws CatalogException {
        Definitions first = Definitions.first(CatalogReader.read("c", "tables: {t: {primaryKey: id}}"), Instant.EPOCH);
        return new Definitions(version, first.at(), first.tables(), first.nextGeneration());
    }

    /** Gives one after the other. */
    private static final class Published implements DefinitionSource {
        private final Deque<Definitions> waiting = new ArrayDeque<>();
        private boolean down;
        private boolean closed;

        void publish(Definitions... definitions) {
            for (Definitions one : definitions) {
                waiting.add(one);
            }
        }

        @Override
        public Optional<Definitions> poll(Duration patience) {
            if (down) {
                throw new IllegalStateException("down");
            }
            return Optional.ofNullable(waiting.poll());
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
