package dev.tidemark.worker.catalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class DefinitionAgentTest {
    private static final String OURS = "ours";

    @TempDir
    Path directory = Path.of("");

    private final ManualClock clock = new ManualClock();
    private final Published source = new Published();
    private final Writer writer = new Writer();
    private FollowedDefinitions followed = new FollowedDefinitions();

    @Test
    void knowsNoTableUntilTheWriterSays() throws Exception {
        DefinitionAgent agent = agent();
        source.publish(version(1));

        agent.doWork();

        assertThat(followed.isKnown()).isFalse();
        assertThat(followed.catalog().tables()).isEmpty();
        assertThat(followed.trouble()).hasValueSatisfying(why -> assertThat(why).contains("writer is away"));
    }

    @Test
    void asksTheWriterWithoutAnyRecord() throws Exception {
        writer.inForce = Optional.of(version(3));

        agent().doWork();

        assertThat(followed.get()).isEqualTo(version(3));
        assertThat(followed.trouble()).isEmpty();
    }

    @Test
    void followsWhatIsPublishedAtOnce() throws Exception {
        DefinitionAgent agent = agent();
        publish(version(1));
        agent.doWork();
        assertThat(followed.get().version()).isEqualTo(1);

        publish(version(2));
        agent.doWork();

        assertThat(followed.get()).isEqualTo(version(2));
        assertThat(followed.catalog().table("t")).isPresent();
        assertThat(agent.doWork()).isZero();
        assertThat(writer.asked).isEqualTo(2);
    }

    @Test
    void definitionsThatCannotBeReadAreReportedUntilTheWriterSaysWhichAreInForce() throws Exception {
        DefinitionAgent agent = agent();
        publish(version(1));
        agent.doWork();
        assertThat(followed.trouble()).isEmpty();

        writer.inForce = Optional.empty();
        source.publishUnreadable();
        agent.doWork();
        assertThat(followed.get()).isEqualTo(version(1));
        assertThat(followed.trouble()).hasValueSatisfying(why -> assertThat(why).contains("another version than 1"));

        writer.inForce = Optional.of(version(2));
        clock.advance(Duration.ofSeconds(1));
        agent.doWork();
        assertThat(followed.get()).isEqualTo(version(2));
        assertThat(followed.trouble()).isEmpty();
    }

    @Test
    void aForgedVersionFarAheadIsNotObeyedAndLaterOnesAre() throws Exception {
        DefinitionAgent agent = agent();
        publish(version(1));
        agent.doWork();

        source.publish(new Definitions(900, Instant.EPOCH, version(1).tables(), 900, OURS));
        agent.doWork();

        assertThat(followed.get()).isEqualTo(version(1));
        assertThat(followed.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("900").contains("not believed"));

        publish(version(2));
        agent.doWork();
        assertThat(followed.get()).isEqualTo(version(2));
        assertThat(followed.trouble()).isEmpty();
    }

    @Test
    void aForgedRecordOfTheVersionInForceIsNotObeyed() throws Exception {
        DefinitionAgent agent = agent();
        publish(version(1));
        agent.doWork();

        source.publish(new Definitions(1, Instant.EPOCH, List.of(), 1, OURS));
        agent.doWork();

        assertThat(followed.get()).isEqualTo(version(1));
        assertThat(followed.trouble()).isPresent();
    }

    @Test
    void whileTheWriterIsAwayWhatIsKnownStaysInForce() throws Exception {
        DefinitionAgent agent = agent();
        publish(version(1));
        agent.doWork();
        writer.inForce = Optional.empty();

        source.publish(version(2));
        agent.doWork();
        assertThat(followed.get()).isEqualTo(version(1));
        assertThat(followed.trouble()).isPresent();

        writer.inForce = Optional.of(version(2));
        assertThat(agent.doWork()).isZero();
        clock.advance(Duration.ofSeconds(1));
        agent.doWork();
        assertThat(followed.get()).isEqualTo(version(2));
        assertThat(followed.trouble()).isEmpty();
    }

    @Test
    void aWorkerStartedWithoutItsWriterGoesOnFromWhatItKept() throws Exception {
        DefinitionAgent before = agent();
        publish(version(4));
        before.doWork();
        writer.inForce = Optional.empty();
        followed = new FollowedDefinitions();

        DefinitionAgent after = agent();
        assertThat(followed.get()).isEqualTo(version(4));
        source.publish(new Definitions(900, Instant.EPOCH, List.of(), 900, OURS));
        after.doWork();

        assertThat(followed.get()).isEqualTo(version(4));
    }

    @Test
    void aBareNameStaysWithTheTableThatItMeantFirstOverRestarts() throws Exception {
        DefinitionAgent before = agent();
        publish(version(1, "people"));
        before.doWork();
        assertThat(followed.names().table("by_x")).contains("people");
        publish(version(2, "shops"));
        before.doWork();
        assertThat(followed.names().table("by_x"))
                .as("the index that got the name")
                .contains("people");

        followed = new FollowedDefinitions();
        agent();

        assertThat(followed.get()).isEqualTo(version(2, "shops"));
        assertThat(followed.names().table("by_x")).contains("people");
    }

    @Test
    void aFileFromBeforeBareNamesWereKeptIsRead() throws Exception {
        Files.write(directory.resolve("definitions.json"), DefinitionsJson.write(version(1)));

        agent();

        assertThat(followed.get()).isEqualTo(version(1));
        assertThat(followed.names().table("by_x")).contains("t");
    }

    @Test
    void staysWithOneDeployment() throws Exception {
        DefinitionAgent agent = agent();
        publish(version(1));
        agent.doWork();

        publish(version(7).of("theirs"));
        agent.doWork();

        assertThat(followed.get()).isEqualTo(version(1));
        assertThat(followed.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("theirs").contains(OURS));
    }

    @Test
    void neverGoesBack() throws Exception {
        DefinitionAgent agent = agent();
        publish(version(5));
        agent.doWork();
        publish(version(4));
        agent.doWork();

        assertThat(followed.get().version()).isEqualTo(5);
        assertThat(followed.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("version 4").contains("version 5"));

        writer.inForce = Optional.of(version(6));
        clock.advance(Duration.ofSeconds(5));
        agent.doWork();
        assertThat(followed.get().version()).isEqualTo(6);
        assertThat(followed.trouble()).isEmpty();
    }

    @Test
    void otherDefinitionsOfTheVersionInForceAreReportedAlsoAfterARestart() throws Exception {
        publish(version(5));
        agent().doWork();
        followed = new FollowedDefinitions();
        DefinitionAgent agent = agent();
        agent.doWork();
        assertThat(followed.trouble()).isEmpty();

        publish(version(5, "people"));
        agent.doWork();

        assertThat(followed.get()).isEqualTo(version(5));
        assertThat(followed.trouble())
                .hasValueSatisfying(why -> assertThat(why).contains("other definitions of version 5"));
    }

    @Test
    void whatCannotBeKeptIsNotInForce() throws Exception {
        DefinitionAgent agent = agent();
        Files.createDirectories(directory.resolve("definitions.json.new"));
        publish(version(1));
        agent.doWork();
        assertThat(followed.isKnown()).isFalse();

        Files.delete(directory.resolve("definitions.json.new"));
        clock.advance(Duration.ofSeconds(1));
        agent.doWork();
        assertThat(followed.isKnown()).isTrue();
    }

    @Test
    void aFileThatCannotBeReadIsNotBelieved() throws IOException {
        Files.writeString(directory.resolve("definitions.json"), "garbage");

        agent();

        assertThat(followed.isKnown()).isFalse();
    }

    @Test
    void keepsWhatIsKnownWhileTheSourceFails() throws Exception {
        DefinitionAgent agent = agent();
        publish(version(1));
        agent.doWork();
        source.down = true;

        assertThat(agent.doWork()).isZero();
        assertThat(followed.get().version()).isEqualTo(1);

        source.down = false;
        publish(version(2));
        agent.doWork();
        assertThat(followed.get().version()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void followsTheWriterWhileTheTopicBringsNothing(boolean failing) throws Exception {
        DefinitionAgent agent = agent();
        publish(version(1));
        agent.doWork();
        source.down = failing;
        writer.inForce = Optional.of(version(2));

        clock.advance(Duration.ofSeconds(30));
        agent.doWork();
        assertThat(followed.get()).isEqualTo(version(2));
        assertThat(followed.trouble()).isEmpty();

        assertThat(agent.doWork()).as("not at each step").isZero();
        assertThat(writer.asked).isEqualTo(2);
    }

    @Test
    void closesTheSourceAtTheEnd() {
        agent().onClose();

        assertThat(source.closed).isTrue();
    }

    private DefinitionAgent agent() {
        DefinitionFile file = new DefinitionFile(directory.resolve("definitions.json"));
        return new DefinitionAgent(source, writer, file, followed, clock);
    }

    /** As a writer does: in force first. */
    private void publish(Definitions definitions) {
        writer.inForce = Optional.of(definitions);
        source.publish(definitions);
    }

    private static Definitions version(long version) throws CatalogException {
        return version(version, "t");
    }

    /** With one index of this table, whose name is always the same. */
    private static Definitions version(long version, String table) throws CatalogException {
        Catalog catalog =
                CatalogReader.read("c", "tables: {" + table + ": {primaryKey: id, indexes: {by_x: {key: [x]}}}}");
        Definitions first = Definitions.first(catalog, Instant.EPOCH);
        return new Definitions(version, first.at(), first.tables(), first.nextGeneration(), OURS);
    }

    /** Says what is in force, or nothing. */
    private static final class Writer implements WriterDefinitions {
        private Optional<Definitions> inForce = Optional.empty();
        private int asked;

        @Override
        public Definitions ask() throws WriterUnavailableException {
            asked++;
            return inForce.orElseThrow(
                    () -> new WriterUnavailableException("the writer is away", new IllegalStateException("away")));
        }
    }

    /** Gives one after the other. */
    private static final class Published implements DefinitionSource {
        private final Deque<News> waiting = new ArrayDeque<>();
        private boolean down;
        private boolean closed;

        void publish(Definitions definitions) {
            waiting.add(new News(Optional.of(definitions)));
        }

        void publishUnreadable() {
            waiting.add(new News(Optional.empty()));
        }

        @Override
        public Optional<News> poll(Duration patience) {
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
