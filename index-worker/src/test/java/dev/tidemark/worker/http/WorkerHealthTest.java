package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Health.Check;
import dev.tidemark.worker.shard.CopyProgress;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerHealthTest {
    private static final long FIRST_READING = 1;
    private static final ShardId FILMS = new ShardId("films", 0);
    private static final ShardId PEOPLE = new ShardId("people", 0);

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final Map<String, String> topics = new TreeMap<>();
    private final List<String> threads = new ArrayList<>();
    private boolean settled = true;
    private boolean routed = true;
    private final WorkerHealth health = new WorkerHealth(
            () -> true, Optional::empty, fixture.shards(), () -> topics, () -> settled, () -> routed, () -> threads);

    @Test
    void isNotReadyWithoutAPartition() {
        assertThat(problems()).containsExactly("no partition is assigned to this worker yet");
    }

    @Test
    void isNotReadyBeforeEveryShardWasWholeOnce() {
        fixture.open(FILMS);
        follow(FILMS, Tables.films());
        fixture.end(PEOPLE, 1);
        fixture.open(PEOPLE);
        assertThat(problems()).singleElement().asString().contains("catches up, is at offset 0");

        follow(PEOPLE, Tables.people());
        assertThat(problems()).isEmpty();
    }

    @Test
    void isNotReadyBeforeItKnowsWhatOtherWorkersHave() {
        ready();
        routed = false;
        assertThat(problems()).containsExactly("what other workers have noted has not been read yet");
    }

    @Test
    void isReadyWhileAShardThatIsBuiltAgainAnswersWithWhatItWas() {
        ready();
        OpenShard films = fixture.shards().find(FILMS).orElseThrow();
        films.cannotGoOn("the offset to go on from is no longer in the log", FIRST_READING);
        fixture.end(FILMS, 100);
        fixture.run();
        assertThat(problems()).isEmpty();
        assertThat(notes()).anyMatch(note -> note.contains("answers with what it was, and is built again"));
    }

    @Test
    void isNotReadyBeforeEveryTopicIsKnown() {
        fixture.open(FILMS);
        follow(FILMS, Tables.films());
        topics.put("people", "has no topic yet; the writer makes it");

        assertThat(problems()).containsExactly("table people has no topic yet; the writer makes it");
    }

    @Test
    void oneShardThatIsRestoredAgainIsANote() {
        ready();
        fixture.end(PEOPLE, 5);
        fixture.shards().rebuild(PEOPLE, "its file is damaged");
        fixture.run();

        assertThat(problems()).isEmpty();
        assertThat(notes()).singleElement().asString().contains("catches up, is at offset 0");
    }

    @Test
    void oneShardThatFailsIsANote() {
        ready();
        fixture.brokersAway(true);
        fixture.shards().rebuild(PEOPLE, "its file is damaged");
        fixture.run();

        assertThat(problems()).isEmpty();
        assertThat(notes()).singleElement().asString().contains("failed and is opened again: the brokers are away");
    }

    @Test
    void aPartitionThatComesFromAnotherWorkerIsANoteUntilItIsCaughtUp() {
        ready();
        ShardId late = new ShardId("people", 1);
        fixture.end(late, 5);
        fixture.open(late);

        assertThat(problems()).isEmpty();
        assertThat(notes()).hasSize(1);
    }

    @Test
    void saysFromWhomAShardIsTakenAndHowMuchOfItIsHere() {
        List<String> meanwhile = new ArrayList<>();
        CopyProgress far = new CopyProgress(URI.create("http://other:8082"), 12_999_999, 79_000_001);
        fixture.copies().copying(FILMS, far, () -> meanwhile.addAll(problems()));
        fixture.open(FILMS);

        assertThat(meanwhile).containsExactly("takes a copy from http://other:8082: 12 of 80 MB");
        follow(FILMS, Tables.films());
        assertThat(problems()).isEmpty();
    }

    @Test
    void aShardThatIsTakenAnswersWithWhatItWasMeanwhile() {
        ready();
        fixture.shards().revoke(FILMS);
        fixture.run();
        fixture.clock().advance(Duration.ofHours(100));
        List<String> meanwhile = new ArrayList<>();
        CopyProgress far = new CopyProgress(URI.create("http://other:8082"), 12_000_000, 80_000_000);
        fixture.copies().copying(FILMS, far, () -> meanwhile.addAll(notes()));
        fixture.open(FILMS);

        assertThat(meanwhile)
                .contains("answers with what it was, and takes a copy from http://other:8082: 12 of 80 MB");
    }

    @Test
    void aShardThatIsTakenLaterIsANote() {
        ready();
        List<String> meanwhile = new ArrayList<>();
        ShardId late = new ShardId("people", 1);
        CopyProgress far = new CopyProgress(URI.create("http://other:8082"), 0, 0);
        fixture.copies().copying(late, far, () -> meanwhile.addAll(notes()));
        fixture.open(late);

        assertThat(meanwhile).containsExactly("takes a copy from http://other:8082: 0 of 0 MB");
    }

    @Test
    void theBadTopicOfOneTableIsANote() {
        ready();
        topics.put("people", "has 4 partitions in the catalog, but its topic has 6");

        assertThat(problems()).isEmpty();
        assertThat(notes()).containsExactly("table people has 4 partitions in the catalog, but its topic has 6");
    }

    @Test
    void isNotReadyWhereNoShardIsWell() {
        ready();
        fixture.brokersAway(true);
        fixture.shards().rebuild(FILMS, "its file is damaged");
        fixture.shards().rebuild(PEOPLE, "its file is damaged");
        fixture.run();
        assertThat(problems()).hasSize(2);

        fixture.brokersAway(false);
        fixture.clock().advance(Duration.ofSeconds(2));
        fixture.run();
        follow(FILMS, Tables.films());
        assertThat(problems()).isEmpty();
        assertThat(notes()).hasSize(1);
    }

    @Test
    void isNotReadyOnceItHasNoPartitionOrTheGroupOrAThreadIsLost() {
        ready();
        settled = false;
        threads.add("thread poll ended");
        fixture.shards().revoke(FILMS);
        fixture.shards().revoke(PEOPLE);
        fixture.run();

        assertThat(problems()).hasSize(3);
    }

    private void ready() {
        fixture.open(FILMS);
        fixture.open(PEOPLE);
        follow(FILMS, Tables.films());
        follow(PEOPLE, Tables.people());
        assertThat(problems()).isEmpty();
    }

    /** Lets a shard read its partition, which has a heartbeat. */
    private void follow(ShardId id, TableDefinition table) {
        OpenShard shard = fixture.shards().find(id).orElseThrow();
        ChangeLog log = new ChangeLog(table).heartbeat(100);
        fixture.end(id, log.end());
        fixture.deliver(shard, Objects.requireNonNull(shard.takeStart()).reading(), log.take());
    }

    private List<String> problems() {
        return health.readiness().stream()
                .map(Check::problem)
                .flatMap(Optional::stream)
                .toList();
    }

    private List<String> notes() {
        return health.readiness().stream()
                .map(Check::note)
                .flatMap(Optional::stream)
                .toList();
    }
}
