package dev.tidemark.source.feed;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.client.Tidemark;
import dev.tidemark.row.RowJson;
import dev.tidemark.source.http.HttpWriter;
import dev.tidemark.source.testkit.FakeWriter;

import static org.assertj.core.api.Assertions.assertThat;

class MarkerAgentTest {
    private final FakeWriter fake = new FakeWriter().following("items", "shop.items", "id");
    private final Tidemark client = Tidemark.connect(Tidemark.options()
            .writer(fake.url().toString())
            .mapper(RowJson.mapper())
            .build());
    private final Progress progress = (Progress) Proxy.newProxyInstance(
            Progress.class.getClassLoader(), new Class<?>[] {Progress.class}, (self, method, arguments) -> null);
    private final FakeDatabase database = new FakeDatabase();
    private final FakeEngine engine = new FakeEngine();

    @AfterEach
    void close() {
        client.close();
        fake.close();
    }

    @Test
    void aServerThatTakesOverEndsTheRunAndGetsNoMarker() throws Exception {
        Writer writer = new HttpWriter(client, "shop", progress);
        ColumnHistory columns = new ColumnHistory();
        Follower follower = new Follower(writer, database, engine, columns, progress, false);
        MarkerAgent marker = new MarkerAgent(writer, database, follower, columns, progress, Clock.systemUTC());
        engine.during = () -> {
            marker.doWork();
            assertThat(engine.stopped).isFalse();
            database.server = "8";
            marker.doWork();
        };

        follower.doWork();

        assertThat(engine.stopped).isTrue();
        assertThat(database.marks).singleElement().asString().startsWith("7 {");
    }

    /** Part of a test. */
    @FunctionalInterface
    private interface Step {
        void run() throws InterruptedException;
    }

    /** Does a step of the test in place of a run. */
    private static final class FakeEngine implements Engine {
        private Step during = () -> {};
        private boolean stopped;

        @Override
        public void run(Plan plan, Sink sink) throws InterruptedException {
            during.run();
        }

        @Override
        public void stop() {
            stopped = true;
        }
    }

    /** Keeps markers, each with the number of the server that got it. */
    private static final class FakeDatabase implements Database {
        private final List<String> marks = new ArrayList<>();
        private String server = "7";

        @Override
        public Position.Identity identity() {
            return new Position.Identity(server, 0);
        }

        @Override
        public Optional<Slot> slot() {
            return Optional.of(new Slot(0, false, false, Optional.empty()));
        }

        @Override
        public void publish(Collection<String> tables) {}

        @Override
        public void prepareSnapshot() {}

        @Override
        public boolean canAddTables() {
            return false;
        }

        @Override
        public Optional<String> prepareAdding(Collection<String> all, long base) {
            return Optional.empty();
        }

        @Override
        public Optional<String> lost(String offset) {
            return Optional.empty();
        }

        @Override
        public boolean streamsColumns() {
            return false;
        }

        @Override
        public List<String> oddities(Collection<String> tables) {
            return List.of();
        }

        @Override
        public Columns columns(Collection<String> tables) {
            return new Columns(new TreeMap<>(), Map.of(), Set.of());
        }

        @Override
        public Map<String, Long> estimates(Collection<String> tables) {
            return Map.of();
        }

        @Override
        public void mark(byte[] content) {
            marks.add(server + " " + new String(content, StandardCharsets.UTF_8));
        }
    }
}
