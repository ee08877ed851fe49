package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.RowRepair;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.OwnThread;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LiveWindowTest {
    private static final ShardId ID = new ShardId("people", 2);
    private static final GenerationStats LACKING = new GenerationStats(3, 2, 1, new Digest(1, 2), new Digest(3, 4));

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final ChangeLog log = new ChangeLog(Tables.people());
    private final int person = IntStream.range(0, 100)
            .filter(id -> Tables.people().partitionOf(log.key(Integer.toString(id))) == ID.partition())
            .findFirst()
            .orElseThrow();

    @Test
    void showsWhatTheShardHasAndNothingBeforeItIsOpen() throws Exception {
        OpenShard shard = fixture.shards().assign(ID);
        LiveWindow early = new LiveWindow(shard);

        assertThat(early.partition()).isEqualTo(2);
        assertThat(early.through()).isEqualTo(RowVersion.NONE);
        assertThat(early.digest(1)).isEmpty();
        assertThat(early.isLeaving()).isTrue();
        assertThatThrownBy(early::open)
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("shard people-2 is not open");

        fixture.run();
        apply(shard);

        LiveWindow window = new LiveWindow(shard);
        assertThat(window.through()).isEqualTo(ChangeLog.version(5));
        assertThat(window.isLeaving()).isFalse();
        try (ShardView view = window.open()) {
            assertThat(view.checkpoint().liveRows()).isEqualTo(1);
        }
        assertThat(early.isLeaving()).as("it was opened since").isTrue();
    }

    @Test
    void givesNoViewOfAShardThatIsJustBeingClosed() {
        LiveWindow window = new LiveWindow(fixture.open(ID));
        fixture.stores().opened(ID).close();

        assertThatThrownBy(window::open)
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("shard people-2 is being closed");
    }

    @Test
    void hasRowsPutRight() throws Exception {
        OpenShard shard = fixture.open(ID);
        apply(shard);
        assertThat(rows(shard)).isEqualTo(1);
        LiveWindow window = new LiveWindow(shard);

        assertThat(meanwhile(shard, () -> window.repair(List.of(gone())))).isTrue();

        assertThat(rows(shard)).isZero();
    }

    @Test
    void hasSumsCorrectedOnce() throws Exception {
        OpenShard shard = fixture.open(ID);
        apply(shard);
        LiveWindow window = new LiveWindow(shard);
        long generation = generation(shard);
        GenerationStats before = stats(shard, generation);

        assertThat(meanwhile(shard, () -> window.correct(generation, LACKING))).isTrue();

        assertThat(stats(shard, generation)).isEqualTo(before.plus(LACKING));
    }

    @Test
    void doesNotWaitForAShardThatIsAboutToBeClosedAndChangesNothingThere() throws Exception {
        OpenShard shard = fixture.open(ID);
        apply(shard);
        LiveWindow window = new LiveWindow(shard);
        long generation = generation(shard);
        GenerationStats before = stats(shard, generation);
        shard.requestClose();

        assertThat(window.isLeaving()).isTrue();
        assertThat(window.repair(List.of(gone()))).isFalse();
        assertThat(window.correct(generation, LACKING)).isFalse();

        fixture.run();
        assertThat(rows(shard)).isEqualTo(1);
        assertThat(stats(shard, generation)).isEqualTo(before);
    }

    @Test
    void aVerdictIsOfTheOpeningThatWasComparedOnly() {
        fixture.withoutProofs();
        OpenShard shard = fixture.open(ID);
        apply(shard);
        LiveWindow window = new LiveWindow(shard);
        shard.requestRebuild("a test");
        fixture.run();
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        fixture.deliver(shard, reading, log.from(0));
        long generation = generation(shard);
        assertThat(phase(shard, generation)).isInstanceOf(GenerationState.Verifying.class);

        window.judge(generation, new VerificationResult.Equal());
        fixture.run();

        assertThat(phase(shard, generation)).isInstanceOf(GenerationState.Verifying.class);
        new LiveWindow(shard).judge(generation, new VerificationResult.Equal());
        fixture.run();
        assertThat(phase(shard, generation)).isInstanceOf(GenerationState.Ready.class);
    }

    private void apply(OpenShard shard) {
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        String row = "{\"id\":" + person + ",\"town\":\"Redmond\",\"name\":\"Ada\"}";
        fixture.deliver(shard, reading, log.put(5, row).heartbeat(5).take());
    }

    /** The table has lost its only row. */
    private RowRepair gone() {
        KeyBytes row = log.key(Integer.toString(person));
        Map<Long, Set<KeyBytes>> seen = Map.of();
        return new RowRepair(row, Optional.empty(), ChangeLog.version(6), new TreeMap<>(seen), Optional.empty());
    }

    private static long generation(OpenShard shard) {
        return shard.status()
                .orElseThrow()
                .checkpoint()
                .generations()
                .keySet()
                .iterator()
                .next();
    }

    private static GenerationState phase(OpenShard shard, long generation) {
        return shard.applied()
                .orElseThrow()
                .checkpoint()
                .generation(generation)
                .orElseThrow()
                .phase();
    }

    private static GenerationStats stats(OpenShard shard, long generation) {
        return shard.status()
                .orElseThrow()
                .checkpoint()
                .generation(generation)
                .orElseThrow()
                .tally();
    }

    private static long rows(OpenShard shard) {
        return shard.status().orElseThrow().checkpoint().liveRows();
    }

    /** What the verify thread is told, while this one applies what it asks for. */
    private <T> T meanwhile(OpenShard shard, Callable<T> asked) {
        CompletableFuture<T> answer = OwnThread.supply(() -> {
            try {
                return asked.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
        while (!answer.isDone() && shard.tasksWaiting() == 0) {
            Thread.onSpinWait();
        }
        fixture.run();
        return answer.join();
    }
}
