package dev.tidemark.worker.life;

import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.digest.Digest;
import dev.tidemark.worker.life.Life.State;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.Workbench;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker that holds one of the four partitions of a table. */
class LivesTest {
    private final TableDefinition people = Tables.people();
    private final Workbench bench = new Workbench(Tables.catalog());
    private final ChangeLog log = new ChangeLog(people);
    private final Generation generation =
            bench.definitions().generations(people.name()).get(0);
    private final Lives lives = new Lives(bench.shards());
    private final LiveShard part = bench.open(new ShardId(people.name(), 2));
    private final long reading = Objects.requireNonNull(part.takeStart()).reading();

    @Test
    void whatIsReadyHereIsNotKnownToBeReady() {
        bench.deliver(part, reading, log.heartbeat(1).take());

        assertThat(lives.here(people, generation).state()).isEqualTo(State.READY);
        assertThat(lives.of(people, generation))
                .isEqualTo(new Life(
                        State.UNKNOWN,
                        Optional.empty(),
                        "3 of the 4 partitions of its table are not at this worker",
                        false));
    }

    @Test
    void oneShardThatIsNotReadyIsEnoughToSayIt() {
        bench.withoutProofs();
        part.requestRebuild("a test wants it");
        bench.run();

        Life life = lives.of(people, generation);

        assertThat(life.state()).isEqualTo(lives.here(people, generation).state());
        assertThat(life.state()).isNotIn(State.READY, State.UNKNOWN);
        assertThat(life.serves()).isFalse();
    }

    @Test
    void aDigestIsEqualOnlyWhereEveryPartitionSaysSo() {
        bench.deliver(part, reading, log.heartbeat(1).take());
        mark(2, Digest.EMPTY);
        assertThat(lives.equality(people, generation).equal()).isEmpty();
        assertThat(lives.equality(people, generation).asOf()).contains(ChangeLog.at(2));

        mark(3, new Digest(1, 2));
        mark(4, new Digest(1, 2));
        assertThat(lives.equality(people, generation).equal()).contains(false);

        for (int partition : new int[] {0, 1, 3}) {
            bench.open(new ShardId(people.name(), partition));
        }
        assertThat(lives.of(people, generation).state()).isEqualTo(State.READY);
    }

    private void mark(long number, Digest wanted) {
        SortedMap<Long, Digest> digests = new TreeMap<>();
        digests.put(generation.id(), wanted);
        bench.deliver(
                part,
                reading,
                log.add(new Heartbeat(ChangeLog.at(number), ChangeLog.version(number), digests))
                        .take());
    }
}
