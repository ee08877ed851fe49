package dev.tidemark.worker.consume;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.StartPosition;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;

class TopicWatchAgentTest {
    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final Map<String, TopicWatchAgent.Topics.Topic> topics = new HashMap<>();
    private final AtomicReference<Catalog> catalog = new AtomicReference<>(Tables.catalog());
    private final Map<String, String> unanswered = new HashMap<>();
    private boolean away;
    private final TopicWatchAgent agent =
            new TopicWatchAgent(catalog::get, tables -> describe(), fixture.shards(), fixture.clock());

    @Test
    void findsTopicsAsTheyAppear() {
        look();
        assertThat(agent.ready()).isEmpty();
        assertThat(agent.problems()).containsOnlyKeys("films", "people");
        topic("films", "t1", 1);
        look();
        assertThat(agent.ready()).containsExactly("films");
        topic("people", "t2", 4);
        look();
        assertThat(agent.ready()).containsExactlyInAnyOrder("films", "people");
        assertThat(agent.problems()).isEmpty();
    }

    @Test
    void looksAtOnceForTheTopicsOfNewTables() {
        catalog.set(new Catalog(List.of()));
        TopicWatchAgent early =
                new TopicWatchAgent(catalog::get, tables -> describe(), fixture.shards(), fixture.clock());
        topic("films", "t1", 1);
        early.doWork();
        assertThat(early.ready()).isEmpty();
        assertThat(early.problems()).isEmpty();

        catalog.set(Tables.catalog());
        early.doWork();

        assertThat(early.ready()).containsExactly("films");
        assertThat(early.problems()).containsOnlyKeys("people");
    }

    @Test
    void doesNotReadATopicWithTooFewPartitions() {
        topic("people", "t2", 2);
        look();
        assertThat(agent.ready()).isEmpty();
        assertThat(agent.problems().get("people")).contains("4 partitions").contains("2");
    }

    @Test
    void readsATopicToWhichPartitionsWereAdded() {
        topic("films", "t1", 3);
        look();
        assertThat(agent.ready()).containsExactly("films");
        assertThat(agent.problems()).doesNotContainKey("films");
    }

    @Test
    void keepsWhatItKnowsWhileTheBrokersAreAway() {
        topic("films", "t1", 1);
        look();
        away = true;
        look();
        assertThat(agent.ready()).containsExactly("films");
        away = false;
        topics.clear();
        look();
        assertThat(agent.ready()).containsExactly("films");
        assertThat(agent.problems()).containsKey("films");
    }

    @Test
    void aTopicOfWhichNothingIsToldNeitherHidesTheOthersNorStaysUnexplained() {
        topic("people", "t2", 4);
        unanswered.put("films", "Not authorized to access topics: [films]");
        look();
        assertThat(agent.ready()).containsExactly("people");
        assertThat(agent.problems()).containsOnlyKeys("films");
        assertThat(agent.problems().get("films")).contains("Not authorized");
    }

    @Test
    void aTableWhoseTopicWasReadStaysReadyWhileNothingIsTold() {
        topic("films", "t1", 1);
        topic("people", "t2", 4);
        look();
        topics.clear();
        unanswered.put("films", "none came in time");
        unanswered.put("people", "none came in time");
        look();
        assertThat(agent.ready()).containsExactlyInAnyOrder("films", "people");
        assertThat(agent.problems()).isEmpty();
    }

    @Test
    void aTableThatIsNoLongerThereIsNotReadAnyMore() {
        topic("films", "t1", 1);
        topic("people", "t2", 4);
        look();
        catalog.set(new Catalog(List.of(Tables.films())));
        look();
        assertThat(agent.ready()).containsExactly("films");
    }

    @Test
    void makesShardsOfATopicThatWasMadeAnewStartAgain() {
        OpenShard shard = fixture.open(new ShardId("films", 0));
        shard.takeStart();
        topic("films", "topic-2", 1);
        fixture.recreateTopics("topic-2");
        look();
        fixture.run();
        assertThat(Objects.requireNonNull(shard.takeStart()).position()).isEqualTo(StartPosition.BEGINNING);
        assertThat(shard.topicId()).contains("topic-2");
    }

    private void look() {
        fixture.clock().advance(Duration.ofSeconds(6));
        agent.doWork();
    }

    private void topic(String table, String id, int partitions) {
        topics.put(table, new TopicWatchAgent.Topics.Topic(id, partitions));
    }

    private TopicWatchAgent.Topics.Described describe() {
        if (away) {
            throw new IllegalStateException("away");
        }
        return new TopicWatchAgent.Topics.Described(topics, unanswered);
    }
}
