package dev.tidemark.worker.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;
import dev.tidemark.worker.verify.VerifyRequest.Mode;
import dev.tidemark.worker.verify.VerifySchedule.Reason;

import static org.assertj.core.api.Assertions.assertThat;

class VerifyScheduleTest {
    private static final Instant NOW = ChangeLog.at(1_000);
    private static final Instant SOON = NOW.plusSeconds(5);
    private static final ShardId LATE = new ShardId("people", 3);

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog()).withoutProofs();
    private final VerifySchedule schedule = new VerifySchedule(fixture.shards(), Duration.ZERO, NOW);

    @Test
    void nothingWaitsWhereNothingIsHereOrAllIsProven() {
        assertThat(schedule.next(NOW)).isEmpty();

        open(new ShardId("people", 0));
        fixture.proveAll();

        assertThat(schedule.next(NOW)).isEmpty();
    }

    @Test
    void shardsThatAreWholeAreProvenTogether() {
        for (int partition = 0; partition < 4; partition++) {
            open(new ShardId("people", partition));
        }

        assertThat(schedule.next(NOW)).hasValueSatisfying(due -> {
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

        assertThat(schedule.next(NOW)).hasValueSatisfying(due -> {
            assertThat(partitions(due)).containsExactly(0, 1);
            assertThat(indexes(due)).containsExactly("by_town");
        });
    }

    @Test
    void theyWaitAWhileForThoseThatAreStillRead() {
        openAllButTheLate();

        assertThat(schedule.next(NOW)).isEmpty();
        assertThat(schedule.next(SOON.minusNanos(1))).isEmpty();
        assertThat(schedule.next(SOON))
                .hasValueSatisfying(due -> assertThat(partitions(due)).containsExactly(0, 1, 2));
    }

    @Test
    void theWhileBeginsAnewOnceNoneWaitedMeanwhile() {
        openAllButTheLate();
        assertThat(schedule.next(NOW)).isEmpty();
        fixture.proveAll();
        assertThat(schedule.next(SOON)).isEmpty();

        fixture.shards().assigned().forEach(shard -> {
            if (!shard.id().equals(LATE)) {
                shard.requestRebuild("a test wants it");
            }
        });
        fixture.run();
        read();

        assertThat(schedule.next(SOON)).as("a while after %s", SOON).isEmpty();
        assertThat(schedule.next(SOON.plusSeconds(5))).isPresent();
    }

    @Test
    void aTableIsLeftAloneUntilItsTimeAndHidesNoOther() {
        open(new ShardId("films", 0));
        open(new ShardId("people", 0));
        VerifySchedule.Due first = schedule.next(NOW).orElseThrow();

        schedule.attempted(first, false, NOW);

        VerifySchedule.Due other = schedule.next(NOW).orElseThrow();
        assertThat(table(Optional.of(other))).isNotEqualTo(table(Optional.of(first)));
        schedule.attempted(other, false, NOW);
        Instant next = NOW.plusSeconds(2);
        assertThat(schedule.next(next.minusNanos(1))).isEmpty();
        assertThat(table(schedule.next(next))).isEqualTo(table(Optional.of(first)));
    }

    @Test
    void tablesThatCannotBeProvenHoldUpNoOther() {
        String indexes = "primaryKey: id, partitions: 1, indexes: { by_name: { key: [name], projection: keys_only } }";
        fixture.define(Definitions.first(
                Tables.catalog("tables: { films: { %1$s }, people: { %1$s }, songs: { %1$s } }".formatted(indexes)),
                ChangeLog.START));
        List.of("films", "people", "songs").forEach(name -> open(new ShardId(name, 0)));
        Instant now = NOW;
        List<String> selected = new ArrayList<>();
        for (int attempts = 0; attempts < 6; attempts++) {
            VerifySchedule.Due due = schedule.next(now).orElseThrow();
            selected.add(due.request().table().name());
            // The rest after a failure is shorter than that, so the first table is due again.
            now = now.plusSeconds(10);
            schedule.attempted(due, false, now);
        }

        assertThat(selected).containsExactly("films", "people", "songs", "films", "people", "songs");
    }

    @Test
    void forgetsGenerationsWhoseTimeHasCome() {
        DesiredTable films = Tables.plan(Tables.films());
        VerifyRequest request = new VerifyRequest(films.definition(), films.generations(), Mode.FULL);
        schedule.attempted(new VerifySchedule.Due(Reason.DIFFERENT, request, List.of()), true, NOW);

        schedule.next(NOW);
        assertThat(schedule.resting()).isEqualTo(films.generations().size());

        schedule.next(NOW.plus(Duration.ofHours(1)));
        assertThat(schedule.resting()).isZero();
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

    private static String table(Optional<VerifySchedule.Due> due) {
        return due.orElseThrow().request().table().name();
    }

    private static List<Integer> partitions(VerifySchedule.Due due) {
        return due.shards().stream().map(shard -> shard.id().partition()).toList();
    }

    private static List<String> indexes(VerifySchedule.Due due) {
        return due.request().generations().stream()
                .map(Generation::definition)
                .map(definition -> definition.name())
                .toList();
    }
}
