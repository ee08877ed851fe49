package dev.tidemark.deploy.e2e;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.consume.ChangeSource;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.kafka.ConsumerSettings;
import dev.tidemark.worker.kafka.KafkaChangeSource;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What members of a worker's group are given, and what is noted there of others. */
@ExtendWith(SharedStack.class)
class GroupMembersIT {
    private static final String TABLE = "people";
    private static final String NEW_TABLE = "stopped_people";
    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Progress FAR = new Progress(Instant.parse("2026-11-20T10:00:00Z"), new RowVersion(1, 7));
    private static final ShardCheckpoint FAR_ON =
            new ShardCheckpoint(3, OptionalInt.empty(), FAR, Instant.MIN, new TreeMap<>(), 0, 0);

    private static final WorkerIdentity SELF = new WorkerIdentity(URI.create("http://127.0.0.1:8082"), "worker-1", "");

    private final StackUnderTest stack;
    private final String group = "notes-" + UUID.randomUUID();

    GroupMembersIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @ParameterizedTest(name = "in a group with the protocol {0}")
    @ValueSource(strings = {"classic", "consumer"})
    void theNoteOfTheMemberBeforeIsGoneWhenItsPartitionIsAssignedAndTheOffsetIsStillThere(String protocol) {
        try (Member first = new Member(protocol, "")) {
            first.join(TABLE);
            first.noteAll(FAR_ON);
        }
        assertThat(noted()).hasSize(stack.table(TABLE).partitions());
        assertThat(noted().values())
                .allSatisfy(
                        note -> assertThat(OffsetNote.parse(note.metadata())).contains(SELF.note(FAR_ON)));

        try (Member second = new Member(protocol, "")) {
            second.join(TABLE);

            assertThat(second.notedAtAssignment).hasSize(stack.table(TABLE).partitions());
            assertThat(second.notedAtAssignment.values()).allSatisfy(note -> {
                assertThat(note.metadata()).isEmpty();
                assertThat(note.offset()).isEqualTo(FAR_ON.nextOffset());
            });
        }
    }

    @Test
    void nothingIsWithdrawnWhereNothingWasNoted() {
        try (Member first = new Member("classic", "")) {
            first.join(TABLE);

            assertThat(noted()).isEmpty();
        }
    }

    @ParameterizedTest(name = "in a group with the protocol {0}")
    @ValueSource(strings = {"classic", "consumer"})
    void aMemberThatReturnsIsGivenPartitionsOfTheTablesThatItFollowsNow(String protocol) {
        try (Member first = new Member(protocol, "returns")) {
            first.join(TABLE);
        }
        try (Member returned = new Member(protocol, "returns")) {
            returned.join(TABLE, NEW_TABLE);
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> noted() {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", stack.stack().bootstrapServers()))) {
            return admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("Expected the broker to tell the offsets of " + group, e);
        }
    }

    /** A worker's member of the group, which looks at the notes when it is given partitions. */
    private final class Member implements ChangeSource.Assignment, AutoCloseable {
        private final ChangeSource source;
        private final Set<ShardId> shards = new TreeSet<>();
        private final Map<TopicPartition, OffsetAndMetadata> notedAtAssignment = new HashMap<>();

        Member(String protocol, String instance) {
            Map<String, Object> kafka =
                    Map.of("bootstrap.servers", stack.stack().bootstrapServers(), "group.protocol", protocol);
            this.source = KafkaChangeSource.open(new ConsumerSettings(group, instance, 100, kafka), SELF);
        }

        /** Waits until it has all partitions of these tables. */
        void join(String... tables) {
            source.follow(Set.of(tables), this);
            int partitions = Stream.of(tables)
                    .mapToInt(table -> stack.table(table).partitions())
                    .sum();
            await().atMost(PATIENCE).until(() -> poll() == partitions);
        }

        void noteAll(ShardCheckpoint checkpoint) {
            AtomicBoolean taken = new AtomicBoolean();
            source.note(
                    shards.stream().collect(Collectors.toMap(shard -> shard, shard -> checkpoint)),
                    () -> taken.set(true));
            await().atMost(PATIENCE).until(() -> poll() > 0 && taken.get());
        }

        private int poll() {
            source.poll(STEP, 1_000_000);
            return shards.size();
        }

        @Override
        public void assigned(Collection<ShardId> ids) {
            shards.addAll(ids);
            notedAtAssignment.putAll(noted());
        }

        @Override
        public void revoked(Collection<ShardId> ids) {
            shards.removeAll(List.copyOf(ids));
        }

        @Override
        public void lost(Collection<ShardId> shards) {
            revoked(shards);
        }

        @Override
        public void runs() {
            // Nobody asks whether it does.
        }

        @Override
        public void close() {
            source.close();
        }
    }
}
