package dev.tidemark.worker.verify;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.catalog.Generation;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.FieldValue;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.OwnThread;
import dev.tidemark.worker.testkit.PlacedPeople;
import dev.tidemark.worker.testkit.WorkerFixture;
import dev.tidemark.worker.verify.Difference.Kind;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/** Global indexes are compared with the rows that belong to each of their partitions. */
class GlobalVerifyTest {
    private final WorkerFixture fixture = new WorkerFixture(PlacedPeople.catalog()).withoutProofs();
    private final PlacedPeople people = new PlacedPeople(fixture);
    private final ListedFacts facts = new ListedFacts();
    private final VerifyJobs jobs = new VerifyJobs(0);
    private final VerifyTotals totals = new VerifyTotals();
    private final VerifyAgent agent = new VerifyAgent(
            jobs,
            fixture.shards(),
            facts,
            MemoryBudget.unlimited().part("verification", 1),
            totals,
            Duration.ofMinutes(10),
            fixture.clock());

    @BeforeEach
    void open() {
        people.openAll();
        put(1, 1, "Oslo", "a", "b", "c", "d");
        put(2, 2, "Rome", "a");
        put(3, 3, "Bern");
    }

    @Test
    void everyPartitionIsProvenEqualToWhatBelongsThere() throws Exception {
        people.heartbeat(9);
        settle();
        for (String index : List.of("by_town", "by_tag")) {
            for (int partition = 0; partition < 3; partition++) {
                assertThat(phase(index, partition)).isInstanceOf(GenerationState.Ready.class);
                assertThat(divergence(index, partition)).hasValue(0);
            }
        }
    }

    @Test
    void nothingIsComparedBeforeAHeartbeatSaysThatThePartitionIsWhole() throws Exception {
        people.heartbeat(9, new ShardId("people", 0)).heartbeat(9, new ShardId("people", 1));
        settle();
        assertThat(divergence("by_name", 0)).hasValue(0);
        assertThat(phase("by_town", 0)).isInstanceOf(GenerationState.Rebuilding.class);
        assertThat(divergence("by_town", 0)).isEmpty();
    }

    @Test
    void anIndexThatCannotBeComparedNowIsNotSaidToBeEqual() throws Exception {
        people.heartbeat(9, new ShardId("people", 0)).heartbeat(9, new ShardId("people", 1));
        settle();
        JobState.Done done = run(Mode.FULL, false);
        assertThat(done.found().isEqual()).isFalse();
        assertThat(done.found().indexes())
                .filteredOn(index -> index.generation().definition().name().equals("by_town"))
                .singleElement()
                .satisfies(index -> assertThat(index.missing()).containsExactly(0, 1, 2));
        assertThat(done.found().indexes())
                .filteredOn(index -> index.generation().definition().name().equals("by_name"))
                .singleElement()
                .satisfies(index -> assertThat(index.isEqual()).isTrue());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void rowsThatMoveBetweenPartitionsAreNoDifference(Mode mode) throws Exception {
        put(4, 1, "Rome", "d", "e");
        put(5, 2, "Rome");
        put(6, 3, "Oslo", "a", "b");
        people.heartbeat(9);
        settle();
        JobState.Done done = run(mode, false);
        assertThat(done.found().isEqual()).isTrue();
        assertThat(done.found().indexes())
                .hasSize(3)
                .allSatisfy(index -> assertThat(index.missing()).isEmpty());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void whatAPartitionDidNotLoseAndWhatItDidNotGetIsFoundAndRepaired(Mode mode) throws Exception {
        people.heartbeat(3);
        settle();
        people.lose(people.shard("by_town", people.partitionOf("Oslo")));
        put(4, 1, "Rome", "a");
        put(5, 3, "Oslo");
        people.heartbeat(9);

        JobState.Done done = run(mode, true);

        VerifyReport.OfGeneration byTown = done.found().indexes().stream()
                .filter(index -> index.generation().definition().name().equals("by_town"))
                .findFirst()
                .orElseThrow();
        assertThat(byTown.total()).isEqualTo(2);
        assertThat(byTown.count(Kind.MISSING)).isEqualTo(1);
        assertThat(byTown.examples())
                .allSatisfy(example -> assertThat(example.partition()).isEqualTo(people.partitionOf("Oslo")));
        assertThat(done.repaired()).isEqualTo(2);
        assertThat(done.latest().isEqual()).isTrue();
    }

    @Test
    void anEntryOfAnotherPartitionIsFound() throws Exception {
        people.heartbeat(9);
        settle();
        KeyBytes rome = new KeyWriter()
                .append(new FieldValue.Text("Rome"), Order.ASC)
                .toKey()
                .concat(people.key(2));
        long generation = fixture.definitions()
                .index("people", "by_town")
                .orElseThrow()
                .current()
                .id();
        fixture.stores()
                .meddle(
                        people.shard("by_town", people.partitionOf("Oslo")),
                        new IndexMutation.PutEntry(generation, rome, KeyBytes.EMPTY));
        JobState.Done done = run(Mode.QUICK, true);
        assertThat(done.found().isEqual()).isFalse();
        assertThat(done.latest().isEqual()).isTrue();
    }

    @Test
    void aPartitionThatIsNotHereIsNamed() throws Exception {
        people.heartbeat(9);
        settle();
        fixture.shards().revoke(people.shard("by_town", 1));
        fixture.run();
        JobState.Done done = run(Mode.FULL, false);
        assertThat(done.found().missingPartitions()).containsExactly(1);
        assertThat(done.found().isEqual()).isFalse();
        assertThat(done.found().indexes()).hasSize(3);
    }

    private void put(long number, int id, String town, String... tags) {
        people.put(number, id, town, tags);
        facts.put(number, people.key(id), PlacedPeople.row(id, town, tags));
    }

    private void settle() throws Exception {
        for (int i = 0; i < 8; i++) {
            agent.doWork();
            fixture.run();
        }
    }

    private JobState.Done run(Mode mode, boolean repair) throws Exception {
        VerifyJob job = jobs.submit(new VerifySpec("people", Optional.empty(), mode, repair))
                .orElseThrow();
        CompletableFuture<Boolean> applied = OwnThread.supply(() -> {
            while (!job.state().isOver()) {
                fixture.run();
            }
            return true;
        });
        agent.doWork();
        assertThat(applied.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(job.state()).isInstanceOf(JobState.Done.class);
        return (JobState.Done) job.state();
    }

    private OptionalLong divergence(String index, int partition) {
        Generation current =
                fixture.definitions().index("people", index).orElseThrow().current();
        return totals.divergence(people.shard(index, partition), current.id());
    }

    private GenerationState phase(String index, int partition) {
        ShardId id = people.shard(index, partition);
        return fixture.shards()
                .find(id)
                .flatMap(shard -> shard.status().map(ShardStatus::checkpoint))
                .orElseThrow()
                .generations()
                .values()
                .iterator()
                .next()
                .phase();
    }
}
