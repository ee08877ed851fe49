package dev.tidemark.source.feed;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.client.Tidemark;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.source.http.HttpWriter;
import dev.tidemark.source.testkit.FakeWriter;

import static org.assertj.core.api.Assertions.assertThat;

class FollowerTest {
    private static final SourceEvent STREAM =
            new SourceEvent.Other(Optional.of(new SourceEvent.Place(Optional.of(100L), 150, "")));

    private final FakeWriter writer = new FakeWriter();
    private final Tidemark client = Tidemark.connect(Tidemark.options()
            .writer(writer.url().toString())
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

    @AfterEach
    void close() {
        client.close();
        writer.close();
    }

    @Test
    void saysOnceWhichSourceNoTableFollows() throws Exception {
        Follower follower = follower(notToBeAsked(Database.class), notToBeAsked(Engine.class));

        for (int step = 0; step < 3; step++) {
            follower.doWork();
        }

        assertThat(said).containsExactly("no table of the writer's catalog follows the source shop; trying again");
    }

    @Test
    void aTableWhoseChangesLackTheKeyIsRefusedBeforeItIsPublished() throws Exception {
        writer.following("items", "public.items", "id");
        FakeDatabase database = new FakeDatabase();
        database.sendsKeys = false;

        follower(database, notToBeAsked(Engine.class)).doWork();

        assertThat(database.published).isEmpty();
        assertThat(writer.batches()).isZero();
        assertThat(said).singleElement().asString().startsWith("updates and deletes of public.items do not send id");
    }

    @Test
    void rowsAreReadAgainAfterChangesLackedTheKeyAlsoByALaterProcess() throws Exception {
        writer.following("items", "public.items", "id");
        FakeDatabase database = new FakeDatabase();
        FakeEngine engine = new FakeEngine(List.of(STREAM));
        follower(database, engine).doWork();
        follower(database, engine).doWork();
        database.sendsKeys = false;
        follower(database, engine).doWork();
        database.sendsKeys = true;
        follower(database, engine).doWork();

        assertThat(engine.snapshots)
                .containsExactly(new Engine.Snapshot.Whole(), new Engine.Snapshot.None(), new Engine.Snapshot.Whole());
    }

    @Test
    void aSourceThatReadsAllTablesEndsOnceAnotherOneReadsThem() throws Exception {
        writer.following("items", "public.items", "id");

        endsOnceAnotherReads(new Engine.Snapshot.Whole());
    }

    @Test
    void aSourceThatReadsAnAddedTableEndsOnceAnotherOneReadsIt() throws Exception {
        writer.following("items", "public.items", "id");
        follower(new FakeDatabase(), new FakeEngine(List.of(STREAM))).doWork();
        writer.following("more", "public.more", "id");

        endsOnceAnotherReads(new Engine.Snapshot.Added(Set.of("public.more")));
    }

    private void endsOnceAnotherReads(Engine.Snapshot snapshot) throws Exception {
        FakeEngine silent = new FakeEngine(List.of());
        Follower second = follower(new FakeDatabase(), silent);
        ObjectNode row = RowJson.mapper().createObjectNode().put("id", 1);
        SourceEvent read = new SourceEvent.Put(Optional.empty(), "public.items", row, List.of(), Optional.empty());
        FakeEngine late = new FakeEngine(List.of(read), second);
        Follower first = follower(new FakeDatabase(), late);

        first.doWork();

        assertThat(late.snapshots).containsExactly(snapshot);
        assertThat(silent.snapshots).containsExactly(snapshot);
        assertThat(writer.count("items")).isZero();
        assertThat(first.ending()).map(Follower.Ending::code).contains(ServiceProcess.REPLACED);
        assertThat(second.ending()).isEmpty();
    }

    /** Reads the same in each run, after a run of other sources. */
    private static final class FakeEngine implements Engine {
        private final List<Snapshot> snapshots = new ArrayList<>();
        private final List<SourceEvent> events;
        private final List<Follower> others;

        FakeEngine(List<SourceEvent> events, Follower... others) {
            this.events = events;
            this.others = List.of(others);
        }

        @Override
        public void run(Plan plan, Sink sink) throws EngineException {
            snapshots.add(plan.snapshot());
            try {
                for (Follower other : others) {
                    other.doWork();
                }
                sink.take(events);
            } catch (Exception e) {
                throw new EngineException("it failed", e);
            }
        }

        @Override
        public void stop() {}
    }

    private Follower follower(Database database, Engine engine) {
        return new Follower(
                new HttpWriter(client, "shop", progress), database, engine, new ColumnHistory(), progress, false);
    }

    private static <T> T notToBeAsked(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    throw new AssertionError("not to be asked for " + method);
                }));
    }
}
