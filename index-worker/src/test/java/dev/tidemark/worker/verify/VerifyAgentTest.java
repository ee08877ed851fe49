package dev.tidemark.worker.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.digest.Digest;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.OwnThread;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class VerifyAgentTest {
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final String ROW = "{\"id\":1,\"title\":\"Sea\",\"year\":1999,\"cast\":[\"Ada\"]}";

    private static final String OTHER = ROW.replace("\"id\":1", "\"id\":2");

    private static final VerifySpec ORDER = new VerifySpec("films", Optional.empty(), Mode.FULL, false);

    private static final String WITH_ANOTHER = """
        tables:
          films:
            primaryKey: id
            partitions: 1
            indexes:
              by_year:  { key: [{field: year, order: desc}, title], projection: keys_only }
              by_title: { key: [title], projection: keys_only }
          people: { primaryKey: id, partitions: 4 }
        """;

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog()).withoutProofs();
    private final ChangeLog log = new ChangeLog(Tables.films());
    private final OpenShard shard = fixture.open(new ShardId("films", 0));
    private final ListedFacts facts = new ListedFacts();
    private final VerifyJobs jobs = new VerifyJobs(0);
    private final VerifyTotals totals = new VerifyTotals();
    private final VerifyAgent agent = new VerifyAgent(
            jobs,
            fixture.shards(),
            facts,
            MemoryBudget.unlimited().part("verification", 1),
            totals,
            INTERVAL,
            fixture.clock());

    @Test
    void aGenerationIsReadyOnceItIsProvenEqualToItsTable() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW);
        assertThat(phases()).allMatch(phase -> phase instanceof GenerationState.Verifying);

        assertThat(agent.doWork()).isPositive();
        fixture.run();

        assertThat(phases()).allMatch(phase -> phase instanceof GenerationState.Ready);
        assertThat(totals.rows()).isEqualTo(1);
        assertThat(divergence("by_year")).hasValue(0);
        assertThat(agent.doWork()).as("nothing more to do").isZero();
    }

    @Test
    void aGenerationWhoseDigestIsThatOfItsTableIsProvenWithoutReadingTheTable() throws InterruptedException {
        long reading = apply();
        facts.put(1, log.key("1"), ROW);
        fixture.deliver(shard, reading, markOfWhatIsHere(2));
        facts.away();

        assertThat(agent.doWork()).isPositive();
        fixture.run();

        assertThat(phases()).allMatch(phase -> phase instanceof GenerationState.Ready);
    }

    @Test
    void aGenerationThatDiffersIsNotReady() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW.replace("1999", "2000"));

        agent.doWork();
        fixture.run();

        assertThat(divergence("by_year")).hasValue(1);
        assertThat(divergence("by_actor")).hasValue(0);
        assertThat(phases().stream().filter(phase -> phase instanceof GenerationState.Ready))
                .hasSize(1);
        assertThat(phases()).anyMatch(phase -> phase instanceof GenerationState.Degraded);
    }

    @Test
    void aGenerationThatDifferedIsReadyOnceItsDigestIsEqualAndItIsProven() throws InterruptedException {
        long reading = apply();
        facts.put(1, log.key("1"), ROW.replace("1999", "2000"));
        agent.doWork();
        fixture.run();
        facts.put(1, log.key("1"), ROW);
        fixture.deliver(shard, reading, markOfWhatIsHere(2));
        assertThat(agent.doWork()).as("a mark from before").isZero();

        fixture.deliver(shard, reading, markOfWhatIsHere(3));
        assertThat(agent.doWork()).isPositive();
        fixture.run();
        agent.doWork();
        fixture.run();

        assertThat(phases()).allMatch(phase -> phase instanceof GenerationState.Ready);
        assertThat(agent.doWork()).isZero();
    }

    @Test
    void aGenerationThatStillDiffersAlthoughItsDigestIsEqualIsNotComparedAllTheTime() throws InterruptedException {
        long reading = apply();
        facts.put(1, log.key("1"), ROW.replace("1999", "2000"));
        agent.doWork();
        fixture.run();
        fixture.deliver(shard, reading, markOfWhatIsHere(2));
        agent.doWork();
        fixture.deliver(shard, reading, markOfWhatIsHere(3));
        assertThat(agent.doWork()).isPositive();
        fixture.run();

        fixture.deliver(shard, reading, markOfWhatIsHere(4));
        fixture.clock().advance(Duration.ofSeconds(3));
        assertThat(agent.doWork()).isZero();
        assertThat(phases()).anyMatch(phase -> phase instanceof GenerationState.Degraded);
    }

    @Test
    void staysUnprovenWhileTheWriterIsAwayAndIsNotAskedAllTheTime() throws InterruptedException {
        apply();
        facts.away();

        assertThat(agent.doWork()).isPositive();
        assertThat(agent.doWork()).isZero();
        fixture.run();

        assertThat(phases()).allMatch(phase -> phase instanceof GenerationState.Verifying);
        fixture.clock().advance(Duration.ofMillis(1_999));
        assertThat(agent.doWork()).isZero();
        fixture.clock().advance(Duration.ofMillis(1));
        assertThat(agent.doWork()).isPositive();
    }

    @Test
    void aVerdictThatTheShardDoesNotTakeNoteOfIsFoundOnceMoreSoon() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW);
        assertThat(agent.doWork()).isPositive();
        assertThat(agent.doWork()).isZero();

        fixture.clock().advance(Duration.ofMillis(200));

        assertThat(agent.doWork()).isPositive();
        assertThat(totals.rows()).isEqualTo(2);
    }

    @Test
    void triesSoonAgainToProveWhatMayHaveHealedWhileTheWriterIsAway() throws InterruptedException {
        long reading = apply();
        facts.put(1, log.key("1"), ROW.replace("1999", "2000"));
        agent.doWork();
        fixture.run();
        fixture.deliver(shard, reading, markOfWhatIsHere(2));
        assertThat(agent.doWork()).isZero();
        fixture.deliver(shard, reading, markOfWhatIsHere(3));
        facts.away();

        assertThat(agent.doWork()).isPositive();
        assertThat(agent.doWork()).isZero();
        fixture.clock().advance(Duration.ofSeconds(2));
        assertThat(agent.doWork()).isPositive();
    }

    @Test
    void aGenerationThatIsReadyIsNotComparedBecauseItsDigestIsEqual() throws InterruptedException {
        long reading = apply();
        facts.put(1, log.key("1"), ROW);
        agent.doWork();
        fixture.run();
        for (long number = 2; number < 5; number++) {
            fixture.deliver(shard, reading, markOfWhatIsHere(number));
            assertThat(agent.doWork()).isZero();
        }
    }

    @Test
    void carriesOutOrdersAndRemembersWhatCameOfThem() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW);
        VerifySpec order = new VerifySpec("films", Optional.of("by_year"), Mode.FULL, false);
        VerifyJob job = jobs.submit(order).orElseThrow();
        assertThat(job.state()).isEqualTo(new JobState.Waiting());

        agent.doWork();

        assertThat(jobs.find(job.id())).contains(job);
        assertThat(job.state()).isInstanceOfSatisfying(JobState.Done.class, done -> {
            assertThat(done.found().isEqual()).isTrue();
            assertThat(done.found().indexes()).hasSize(1);
            assertThat(done.found().rows()).isEqualTo(1);
        });
    }

    @Test
    void saysWhyAnOrderCouldNotBeCarriedOut() throws InterruptedException {
        apply();
        facts.away();
        VerifyJob job = jobs.submit(new VerifySpec("films", Optional.empty(), Mode.QUICK, false))
                .orElseThrow();
        VerifyJob other = jobs.submit(new VerifySpec("people", Optional.empty(), Mode.QUICK, false))
                .orElseThrow();

        agent.doWork();
        agent.doWork();

        assertThat(job.state()).isEqualTo(new JobState.Failed("the writer is away"));
        assertThat(other.state()).isEqualTo(new JobState.Failed("nothing of it is here that is built and open"));
    }

    @Test
    void aGenerationThatIsStillBeingBuiltIsNotCompared() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW);
        agent.doWork();
        fixture.run();
        fixture.define(fixture.definitions().changed(Tables.catalog(WITH_ANOTHER), ChangeLog.START));
        fixture.run();
        assertThat(phases()).anyMatch(phase -> phase instanceof GenerationState.Building);
        VerifyJob ofAll = jobs.submit(new VerifySpec("films", Optional.empty(), Mode.FULL, false))
                .orElseThrow();
        VerifyJob ofIt = jobs.submit(new VerifySpec("films", Optional.of("by_title"), Mode.FULL, false))
                .orElseThrow();

        agent.doWork();
        agent.doWork();

        assertThat(ofAll.state())
                .isInstanceOfSatisfying(
                        JobState.Done.class,
                        done -> assertThat(done.found().indexes())
                                .extracting(
                                        index -> index.generation().definition().name())
                                .containsExactly("by_year"));
        assertThat(ofIt.state()).isEqualTo(new JobState.Failed("nothing of it is here that is built and open"));
    }

    @Test
    void looksAtEachTableInTurnWithoutBeingAsked() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW);
        agent.doWork();
        fixture.run();
        assertThat(totals.rows()).isEqualTo(1);

        fixture.clock().advance(INTERVAL);
        assertThat(agent.doWork()).isPositive();

        assertThat(totals.rows()).isEqualTo(2);
        assertThat(agent.doWork()).as("before the next is due").isZero();
        fixture.clock().advance(INTERVAL);
        assertThat(agent.doWork()).as("people, of whom there are none").isPositive();
        assertThat(totals.rows()).isEqualTo(2);
        fixture.clock().advance(INTERVAL);
        assertThat(agent.doWork()).isPositive();
        assertThat(totals.rows()).isEqualTo(3);
    }

    @Test
    void looksAtNothingWithoutBeingAskedWhereThatIsNotWanted() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW);
        fixture.proveAll();
        VerifyAgent never = new VerifyAgent(
                jobs,
                fixture.shards(),
                facts,
                MemoryBudget.unlimited().part("verification", 1),
                totals,
                Duration.ZERO,
                fixture.clock());
        fixture.clock().advance(INTERVAL);

        assertThat(never.doWork()).isZero();
        assertThat(totals.rows()).isZero();
    }

    @Test
    void onlyAnUnaskedPassRestsAndOnlyWhileNobodyWaits() throws InterruptedException {
        int rows = 4_096;
        applyMany(rows);
        List<String> total = new ArrayList<>();
        VerifyJob job = jobs.submit(ORDER).orElseThrow();
        facts.meanwhile(
                () -> total.add(job.state().toString()),
                () -> Thread.currentThread().interrupt());

        assertThatThrownBy(agent::doWork).hasMessage("interrupted while verifying");
        assertThat(total).containsExactly(new JobState.Running(0, rows).toString());
        assertThat(job.state()).isEqualTo(new JobState.Running(rows, rows));

        assertThatThrownBy(agent::doWork).as("a proof").hasMessage("interrupted while verifying");

        fixture.proveAll();
        fixture.clock().advance(INTERVAL);
        assertThatThrownBy(agent::doWork).hasMessage("sleep interrupted");

        assertThat(agent.doWork()).as("people, of whom there are none").isPositive();
        fixture.clock().advance(INTERVAL);
        facts.meanwhile(() -> jobs.submit(ORDER), () -> Thread.currentThread().interrupt());
        assertThatThrownBy(agent::doWork).hasMessage("interrupted while verifying");
    }

    @Test
    void anOrderToRepairPutsRowsRightAndNoOtherDoes() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW.replace("1999", "2000"));
        VerifyJob look = jobs.submit(ORDER).orElseThrow();
        assertThat(agent.doWork()).isPositive();
        fixture.run();
        VerifyJob again = jobs.submit(new VerifySpec("films", Optional.empty(), Mode.FULL, true))
                .orElseThrow();

        CompletableFuture<Integer> work = OwnThread.supply(() -> {
            try {
                return agent.doWork();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (!work.isDone()) {
            if (shard.tasksWaiting() > 0) {
                fixture.run();
            }
            Thread.onSpinWait();
        }

        assertThat(look.state())
                .isInstanceOfSatisfying(
                        JobState.Done.class,
                        done -> assertThat(done.latest().isEqual()).isFalse());
        assertThat(again.state()).isInstanceOfSatisfying(JobState.Done.class, done -> {
            assertThat(done.found().isEqual()).isFalse();
            assertThat(done.repaired()).isEqualTo(1);
            assertThat(done.latest().isEqual()).isTrue();
        });
        assertThat(totals.repaired()).isEqualTo(1);
    }

    @Test
    void aShardWhoseDamageAPassFindsIsBuiltAgain() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW);
        fixture.stores().opened(shard.id()).failNextScan(new ShardDamagedException("a bad block").in(shard.id()));

        assertThat(agent.doWork()).isPositive();

        assertThat(shard.isRebuilding()).isTrue();
    }

    @Test
    void aShardWhoseDamageAnOrderFindsIsBuiltAgain() throws InterruptedException {
        apply();
        facts.put(1, log.key("1"), ROW);
        fixture.stores().opened(shard.id()).failNextScan(new ShardDamagedException("a bad block").in(shard.id()));
        VerifyJob job = jobs.submit(ORDER).orElseThrow();

        assertThat(agent.doWork()).isPositive();

        assertThat(shard.isRebuilding()).isTrue();
        assertThat(job.state()).isEqualTo(new JobState.Failed("a bad block"));
    }

    @Test
    void anOrderForATableThatIsGoneFails() throws InterruptedException {
        VerifyJob job = jobs.submit(ORDER).orElseThrow();
        fixture.define(new Definitions(1, ChangeLog.START, List.of(), 1));

        assertThat(agent.doWork()).isPositive();

        assertThat(job.state()).isEqualTo(new JobState.Failed("there is no table films any more"));
    }

    @Test
    void worksUnderItsOwnName() {
        assertThat(agent.roleName()).isEqualTo("verify");
    }

    @Test
    void comparesOnceWithoutBeingAskedWhatDiffersByItsDigestAtTwoMarks() throws InterruptedException {
        long reading = apply();
        facts.put(1, log.key("1"), ROW);
        agent.doWork();
        fixture.run();
        facts.put(2, log.key("1"), ROW.replace("1999", "2000"));

        fixture.deliver(shard, reading, mark(2));
        assertThat(agent.doWork()).as("a suspicion").isZero();
        fixture.deliver(shard, reading, mark(3));

        assertThat(agent.doWork()).isPositive();
        assertThat(divergence("by_year")).hasValue(1);
        assertThat(agent.doWork()).as("again so soon").isZero();
    }

    @Test
    void aGenerationIsReadyBesideARowInQuarantine() throws InterruptedException {
        long reading = apply();
        facts.put(1, log.key("1"), ROW);
        fixture.deliver(shard, reading, log.garbage(2, "2").heartbeat(2).take());
        facts.put(2, log.key("2"), OTHER);

        assertThat(agent.doWork()).isPositive();
        fixture.run();

        assertThat(phases()).allMatch(phase -> phase instanceof GenerationState.Ready);
        assertThat(quarantined()).isEqualTo(1);
    }

    @Test
    void aRowInQuarantineDoesNotHideThatAnotherRowOfItsShardDiffers() throws InterruptedException {
        long reading = apply();
        facts.put(1, log.key("1"), ROW);
        agent.doWork();
        fixture.run();
        fixture.deliver(shard, reading, log.garbage(2, "2").take());
        facts.put(2, log.key("2"), OTHER);
        facts.put(3, log.key("1"), ROW.replace("1999", "2000"));
        fixture.deliver(shard, reading, mark(3));
        fixture.deliver(shard, reading, mark(4));

        assertThat(agent.doWork()).isPositive();
        fixture.run();

        assertThat(divergence("by_year")).hasValue(1);
        assertThat(phases()).anyMatch(phase -> phase instanceof GenerationState.Degraded);
    }

    private OptionalLong divergence(String index) {
        return totals.divergence(
                shard.id(),
                fixture.definitions()
                        .index("films", index)
                        .orElseThrow()
                        .current()
                        .id());
    }

    private long quarantined() {
        return shard.status().orElseThrow().checkpoint().quarantined();
    }

    /** The writer's word that the table gives just what the shard has. */
    private ChangeBatch markOfWhatIsHere(long number) {
        SortedMap<Long, Digest> digests = new TreeMap<>();
        shard.status()
                .orElseThrow()
                .checkpoint()
                .generations()
                .forEach((id, held) -> digests.put(id, held.tally().entriesDigest()));
        return log.add(new Heartbeat(ChangeLog.at(number), ChangeLog.version(number), digests))
                .take();
    }

    /** The writer's word that the table gives something that no shard has. */
    private ChangeBatch mark(long number) {
        SortedMap<Long, Digest> digests = new TreeMap<>(Map.of(1L, new Digest(1, 1), 2L, new Digest(2, 2)));
        return log.add(new Heartbeat(ChangeLog.at(number), ChangeLog.version(number), digests))
                .take();
    }

    @Test
    void hasNothingToLookAtBeforeAnyTableIsKnown() throws InterruptedException {
        fixture.define(new Definitions(1, ChangeLog.START, List.of(), 1));
        fixture.clock().advance(INTERVAL);

        assertThat(agent.doWork()).isZero();
    }

    @Test
    void takesNoMoreOrdersThanItRemembers() {
        VerifySpec order = new VerifySpec("films", Optional.empty(), Mode.QUICK, false);
        for (int i = 0; i < VerifyJobs.MOST_WAITING; i++) {
            assertThat(jobs.submit(order)).isPresent();
        }
        assertThat(jobs.submit(order)).isEmpty();
    }

    /** So many rows that the table has as well. */
    private void applyMany(int rows) {
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        for (int id = 1; id <= rows; id++) {
            String row = ROW.replace("\"id\":1", "\"id\":" + id);
            log.put(id, row);
            facts.put(id, log.key(Integer.toString(id)), row);
        }
        fixture.deliver(shard, reading, log.heartbeat(rows).take());
    }

    private long apply() {
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        fixture.deliver(shard, reading, log.put(1, ROW).heartbeat(1).take());
        return reading;
    }

    /** The phase of each generation; there is at least one. */
    private List<GenerationState> phases() {
        List<GenerationState> phases = shard.status().orElseThrow().checkpoint().generations().values().stream()
                .map(GenerationStatus::phase)
                .toList();
        assertThat(phases).isNotEmpty();
        return phases;
    }
}
