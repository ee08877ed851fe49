package dev.tidemark.worker.generation;

import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.digest.Digest;
import dev.tidemark.worker.generation.LifecycleState.State;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker that holds one of the four partitions of a table. */
class LifecycleStatesTest {
    private final TableDefinition people = Tables.people();
    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final ChangeLog log = new ChangeLog(people);
    private final Generation generation =
            fixture.definitions().generations(people.name()).get(0);
    private final LifecycleStates lifecycleStates = new LifecycleStates(fixture.shards());
    private final OpenShard part = fixture.open(new ShardId(people.name(), 2));
    private final long reading = Objects.requireNonNull(part.takeStart()).reading();

    @Test
    void whatIsReadyHereIsNotKnownToBeReady() {
        fixture.deliver(part, reading, log.heartbeat(1).take());

        assertThat(lifecycleStates.here(people, generation).state()).isEqualTo(State.READY);
        assertThat(lifecycleStates.of(people, generation))
                .isEqualTo(new LifecycleState(
                        State.UNKNOWN,
                        Optional.empty(),
                        "3 of the 4 partitions of its table are not at this worker",
                        false));
    }

    @Test
    void oneShardThatIsNotReadyIsEnoughToSayIt() {
        fixture.withoutProofs();
        part.requestRebuild("a test wants it");
        fixture.run();

        LifecycleState lifecycleState = lifecycleStates.of(people, generation);

        assertThat(lifecycleState.state())
                .isEqualTo(lifecycleStates.here(people, generation).state());
        assertThat(lifecycleState.state()).isNotIn(State.READY, State.UNKNOWN);
        assertThat(lifecycleState.serves()).isFalse();
    }

    @Test
    void aDigestIsEqualOnlyWhereEveryPartitionSaysSo() {
        fixture.deliver(part, reading, log.heartbeat(1).take());
        mark(2, Digest.EMPTY);
        assertThat(lifecycleStates.equality(people, generation).equal()).isEmpty();
        assertThat(lifecycleStates.equality(people, generation).asOf()).contains(ChangeLog.at(2));

        mark(3, new Digest(1, 2));
        mark(4, new Digest(1, 2));
        assertThat(lifecycleStates.equality(people, generation).equal()).contains(false);

        for (int partition : new int[] {0, 1, 3}) {
            fixture.open(new ShardId(people.name(), partition));
        }
        assertThat(lifecycleStates.of(people, generation).state()).isEqualTo(State.READY);
    }

    private void mark(long number, Digest wanted) {
        SortedMap<Long, Digest> digests = new TreeMap<>();
        digests.put(generation.id(), wanted);
        fixture.deliver(
                part,
                reading,
                log.add(new Heartbeat(ChangeLog.at(number), ChangeLog.version(number), digests))
                        .take());
    }
}
