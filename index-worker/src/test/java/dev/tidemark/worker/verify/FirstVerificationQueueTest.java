package dev.tidemark.worker.verify;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static org.assertj.core.api.Assertions.assertThat;

class FirstVerificationQueueTest {
    private static final Instant NOW = ChangeLog.at(1_000);
    private static final Instant SOON = NOW.plusSeconds(5);
    private static final ShardId LATE = new ShardId("people", 3);

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog()).withoutProofs();
    private final FirstVerificationQueue queue =
            new FirstVerificationQueue(new LocalGenerations(fixture::definitions, fixture.shards()));

    @Test
    void nothingWaitsWhereNothingIsHereOrAllIsProven() {
        assertThat(queue.next(NOW)).isEmpty();

        open(new ShardId("people", 0));
        fixture.proveAll();

        assertThat(queue.next(NOW)).isEmpty();
    }

    @Test
    void shardsThatAreWholeAreProvenTogether() {
        for (int partition = 0; partition < 4; partition++) {
            open(new ShardId("people", partition));
        }

        assertThat(queue.next(NOW)).hasValueSatisfying(due -> {
            assertThat(partitions(due)).containsExactly(0, 1, 2, 3);
            assertThat(due.request().mode()).isEqualTo(Mode.PROOF);
            assertThat(due.request().table()).isEqualTo(Tables.people());
            assertThat(indexes(due)).containsExactly("by_town", "whole");
        });
    }

    @Test
    void onlyGenerationsAreProvenThatWaitInEachOfTheseShards() {
        open(new ShardId("people", 0));
        open(new ShardId("people", 1));
        prove(new ShardId("people", 1), "whole");

        assertThat(queue.next(NOW)).hasValueSatisfying(due -> {
            assertThat(partitions(due)).containsExactly(0, 1);
            assertThat(indexes(due)).containsExactly("by_town");
        });
    }

    @Test
    void theyWaitAWhileForThoseThatAreStillRead() {
        openAllButTheLate();

        assertThat(queue.next(NOW)).isEmpty();
        assertThat(queue.next(SOON.minusNanos(1))).isEmpty();
        assertThat(queue.next(SOON))
                .hasValueSatisfying(due -> assertThat(partitions(due)).containsExactly(0, 1, 2));
    }

    @Test
    void theWhileBeginsAnewOnceNoneWaitedMeanwhile() {
        openAllButTheLate();
        assertThat(queue.next(NOW)).isEmpty();
        fixture.proveAll();
        assertThat(queue.next(SOON)).isEmpty();

        fixture.shards().assigned().forEach(shard -> {
            if (!shard.id().equals(LATE)) {
                shard.requestRebuild("a test wants it");
            }
        });
        fixture.run();
        read();

        assertThat(queue.next(SOON)).as("a while after %s", SOON).isEmpty();
        assertThat(queue.next(SOON.plusSeconds(5))).isPresent();
    }

    @Test
    void aTableIsLeftAloneUntilItsTimeAndHidesNoOther() {
        open(new ShardId("films", 0));
        open(new ShardId("people", 0));
        FirstVerificationQueue.Due first = queue.next(NOW).orElseThrow();

        queue.leave(first, SOON);

        assertThat(table(queue.next(NOW))).isNotEqualTo(table(Optional.of(first)));
        assertThat(table(queue.next(SOON.minusNanos(1)))).isNotEqualTo(table(Optional.of(first)));
        assertThat(table(queue.next(SOON))).isEqualTo(table(Optional.of(first)));
    }

    /** The last shard of a table is still read from the beginning of its topic. */
    private void openAllButTheLate() {
        fixture.end(LATE, 10);
        for (int partition = 0; partition < 4; partition++) {
            open(new ShardId("people", partition));
        }
    }

    private void open(ShardId id) {
        fixture.open(id);
        read();
    }

    private void prove(ShardId id, String index) {
        long generation = fixture.definitions().generations(id.table()).stream()
                .filter(one -> one.definition().name().equals(index))
                .findFirst()
                .orElseThrow()
                .id();
        fixture.shards().assigned().stream()
                .filter(shard -> shard.id().equals(id))
                .forEach(shard -> shard.ask(applier -> applier.judge(generation, new VerificationResult.Equal())));
        fixture.run();
    }

    /** Every shard that was just opened gets the first record of its topic. */
    private void read() {
        for (OpenShard shard : List.copyOf(fixture.shards().assigned())) {
            OpenShard.Start start = shard.takeStart();
            if (start != null) {
                ChangeLog log = new ChangeLog(shard.table());
                fixture.deliver(shard, start.reading(), log.heartbeat(1).take());
            }
        }
    }

    private static String table(Optional<FirstVerificationQueue.Due> due) {
        return due.orElseThrow().request().table().name();
    }

    private static List<Integer> partitions(FirstVerificationQueue.Due due) {
        return due.shards().stream().map(shard -> shard.id().partition()).toList();
    }

    private static List<String> indexes(FirstVerificationQueue.Due due) {
        return due.request().generations().stream()
                .map(Generation::definition)
                .map(definition -> definition.name())
                .toList();
    }
}
