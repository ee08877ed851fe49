package dev.tidemark.source.feed;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.client.Tidemark;
import dev.tidemark.row.RowJson;
import dev.tidemark.source.http.HttpWriter;
import dev.tidemark.source.testkit.FakeWriter;

import static org.assertj.core.api.Assertions.assertThat;

class MarkerAgentTest {
    private final FakeWriter fake = new FakeWriter().following("items", "public.items", "id");
    private final Tidemark client = Tidemark.connect(Tidemark.options()
            .writer(fake.url().toString())
            .mapper(RowJson.mapper())
            .build());
    private final List<String> said = new ArrayList<>();

    /** Keeps what is said, and takes no notice of the rest. */
    private final Progress progress = (Progress) Proxy.newProxyInstance(
            Progress.class.getClassLoader(), new Class<?>[] {Progress.class}, (self, method, arguments) -> {
                if (method.getName().equals("warn")) {
                    said.add(String.valueOf(arguments[0]));
                }
                return null;
            });

    private final Writer writer = new HttpWriter(client, "shop", progress);
    private final FakeDatabase database = new FakeDatabase();
    private final ColumnHistory columns = new ColumnHistory();
    private final Running engine = new Running();
    private final Follower follower = new Follower(writer, database, engine, columns, progress, false);
    private final MarkerAgent marker =
            new MarkerAgent(writer, database, follower, columns, progress, Clock.systemUTC());

    /** Does something while it runs. */
    private static final class Running implements Engine {
        private final List<MarkerStep> steps = new ArrayList<>();
        private int stops;

        @Override
        public void run(Plan plan, Sink sink) throws InterruptedException {
            for (MarkerStep step : steps) {
                step.run();
            }
        }

        @Override
        public void stop() {
            stops++;
        }
    }

    @FunctionalInterface
    private interface MarkerStep {
        void run() throws InterruptedException;
    }

    @AfterEach
    void close() {
        client.close();
        fake.close();
    }

    @Test
    void aMarkerSaysThatChangesNoLongerComeWithTheirKeys() throws Exception {
        engine.steps.add(() -> database.sendsKeys = false);
        engine.steps.add(marker::doWork);

        follower.doWork();

        assertThat(MarkerContent.of(database.marked.get(0)).orElseThrow().columns())
                .isEqualTo(Map.of("public.items", Columns.UNPUBLISHED));
    }

    @Test
    void aTableThatFollowsAgainEndsTheRun() throws Exception {
        engine.steps.add(marker::doWork);
        engine.steps.add(() -> fake.followAgain("items"));
        engine.steps.add(marker::doWork);

        follower.doWork();

        assertThat(database.marked).hasSize(1);
        assertThat(engine.stops).isEqualTo(1);
        assertThat(said).containsExactly("the catalog has other tables for this source; beginning again");
    }

    @Test
    void aServerThatTakesOverEndsTheRunAndGetsNoMarker() throws Exception {
        engine.steps.add(marker::doWork);
        engine.steps.add(() -> database.server = "8");
        engine.steps.add(marker::doWork);

        follower.doWork();

        assertThat(database.marked).hasSize(1);
        assertThat(engine.stops).isEqualTo(1);
        assertThat(said).containsExactly("another server answers for the database; beginning again");
    }
}
