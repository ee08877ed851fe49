package dev.tidemark.worker.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.store.Leftover;
import dev.tidemark.worker.store.Leftovers;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;

class LeftoverShardsTest {
    private static final ShardId ID = new ShardId("films", 0);
    private static final Duration MAX_ABSENCE = Duration.ofHours(84);

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final Disk disk = new Disk();
    private boolean settled = true;
    private final LeftoverShards leftovers =
            new LeftoverShards(disk, fixture.shards(), MAX_ABSENCE, () -> settled, fixture.clock());

    @Test
    void howMuchIsLeftIsNotKnownBeforeItWasLookedFor() {
        assertThat(bytes()).isNaN();
        leftovers.run();
        assertThat(bytes()).isZero();
    }

    @Test
    void aShardThatWentAwayStaysAsLongAsItWouldBeTrusted() {
        disk.left("films-0", Optional.of(ID), fixture.clock().instant().minus(MAX_ABSENCE));
        leftovers.run();
        assertThat(disk.removed).isEmpty();
        assertThat(bytes()).isEqualTo(1_000);

        fixture.clock().advance(Duration.ofSeconds(1));
        leftovers.run();
        assertThat(disk.removed).containsExactly("films-0");
        assertThat(bytes()).isZero();
    }

    @Test
    void aShardOfThisProcessStaysHoweverOldItsFilesAre() {
        disk.left("films-0", Optional.of(ID), Instant.EPOCH);
        fixture.brokersAway(true);
        fixture.open(ID);

        leftovers.run();

        assertThat(disk.removed).isEmpty();
        assertThat(bytes()).as("it is none that is left").isZero();
    }

    @Test
    void aShardThatIsBeingClosedStaysUntilItIs() {
        disk.left("films-0", Optional.of(ID), Instant.EPOCH);
        fixture.open(ID);
        fixture.shards().revoke(ID);
        leftovers.run();
        assertThat(disk.removed).isEmpty();

        fixture.run();
        leftovers.run();
        assertThat(disk.removed).containsExactly("films-0");
    }

    @Test
    void nothingGoesBeforeTheGroupHasSaidWhichPartitionsAreThisWorkers() {
        disk.left("films-0", Optional.of(ID), Instant.EPOCH);
        settled = false;
        leftovers.run();
        assertThat(disk.removed).isEmpty();

        settled = true;
        leftovers.run();
        assertThat(disk.removed).containsExactly("films-0");
    }

    @Test
    void whatAnInterruptedRemovalLeftGoesAtOnce() {
        disk.left(".dropped-films-0", Optional.empty(), fixture.clock().instant());
        leftovers.run();
        assertThat(disk.removed).containsExactly(".dropped-films-0");
    }

    @Test
    void aShardThatWasOpenedMeanwhileIsStillThere() {
        disk.left("films-0", Optional.of(ID), Instant.EPOCH);
        disk.open = true;
        leftovers.run();
        assertThat(disk.removed).isEmpty();
        assertThat(bytes()).isEqualTo(1_000);
    }

    @Test
    void oneThatCannotBeRemovedKeepsNoOther() {
        disk.left("films-0", Optional.of(ID), Instant.EPOCH);
        disk.left("films-1", Optional.of(new ShardId("films", 1)), Instant.EPOCH);
        disk.broken = "films-0";
        leftovers.run();
        assertThat(disk.removed).containsExactly("films-1");
        assertThat(bytes()).isEqualTo(1_000);
    }

    private double bytes() {
        return leftovers.readings().get(0).value().getAsDouble();
    }

    /** What a test says is left. */
    private static final class Disk implements Leftovers {
        private final List<Leftover> left = new ArrayList<>();
        private final List<String> removed = new ArrayList<>();
        private boolean open;
        private String broken = "";

        void left(String name, Optional<ShardId> shard, Instant lastWritten) {
            left.add(new Leftover(name, shard, 1_000, lastWritten));
        }

        @Override
        public List<Leftover> find() {
            return List.copyOf(left);
        }

        @Override
        public boolean remove(Leftover leftover) {
            if (open) {
                return false;
            }
            if (leftover.name().equals(broken)) {
                throw new IllegalStateException("the disk refuses to remove " + broken);
            }
            left.remove(leftover);
            removed.add(leftover.name());
            return true;
        }
    }
}
