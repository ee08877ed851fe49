package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.ShardLog.Moment;
import dev.tidemark.deploy.e2e.load.PacedLoad;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kill -9 of the worker while indexes are built, verified, switched and dropped under load: each round aims at one of
 * these moments in turn and strikes at random within it; what it hit is counted by what the worker had logged.
 */
@Execution(ExecutionMode.CONCURRENT)
@TakesTurns(turn = 3, of = 6)
class BuildKillsIT {
    /** One of each kind takes half a minute; more with {@code -Dbuild.kills=20}. */
    private static final int ROUNDS = Integer.getInteger("build.kills", 3);

    /** With so many rounds every moment must have been hit. */
    private static final int ROUNDS_THAT_HIT_ALL = 20;

    private static final int ROWS = 4_500;
    private static final int CHANGES_PER_SECOND = 60;
    private static final int SHARDS = 3;
    private static final int MOST_REST_MS = 1_500;
    private static final int SHORT_REST_MS = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> PROJECTIONS = List.of("all", "[name]", "keys_only", "[name, score]");

    private static final List<Moment> AIMS =
            List.of(Moment.BUILDING, Moment.VERIFYING, Moment.SWITCHING, Moment.DROPPING);

    private final Map<Moment, Integer> hits = new EnumMap<>(Moment.class);
    private Map<Integer, Long> copied = Map.of();
    private long changed;
    private long added;

    @Test
    void oneGenerationAnswersAndAllIsEqualAtTheEndAfterKillsAtAnyMoment() throws Exception {
        long seed = Long.getLong("kills.seed", new SteadyClock().millis());
        System.out.println("Kills of builds: -Dkills.seed=" + seed + " repeats these");
        Random random = new Random(seed);
        try (StackUnderTest stack = StackUnderTest.start(
                "build-kills",
                settings -> settings.withCatalog(BuiltIndexes.catalogFile())
                        .with(Role.WORKER, "build.rows.per.second", "1500"))) {
            BuiltIndexes built = new BuiltIndexes(stack);
            built.load(ROWS);
            try (PacedLoad load = built.change(ROWS, CHANGES_PER_SECOND, seed);
                    OneGenerationReader reader = OneGenerationReader.start(built)) {
                ShardLog diary = new ShardLog(stack.child(Role.WORKER).spec().logFile());
                for (int round = 0; round < ROUNDS; round++) {
                    aim(built, diary, round, random);
                    strike(stack, built, diary);
                }
                load.stop();
                reader.stop();
                assertThat(reader.complaints()).as("seed %d", seed).isEmpty();
                System.out.println("Kills of builds: hit " + hits + " in " + ROUNDS + " rounds, beside "
                        + reader.answers() + " answers");
            }
            checkEnd(built, seed);
        }
        if (ROUNDS >= ROUNDS_THAT_HIT_ALL) {
            assertThat(hits).as("seed %d", seed).containsOnlyKeys(Moment.values());
        }
    }

    private void checkEnd(BuiltIndexes built, long seed) throws Exception {
        try {
            String catalog = catalog(ROUNDS, true);
            built.bringInForce(catalog);
            built.awaitReady("by_town");
            built.awaitReady("by_score");
            built.checkEqual(catalog);
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    /** Brings about the moment whose turn it is. */
    private void aim(BuiltIndexes built, ShardLog diary, int round, Random random) throws Exception {
        switch (AIMS.get(round % AIMS.size())) {
            case BUILDING -> {
                JsonNode changes = built.bringInForce(catalog(round, true)).path("changes");
                changed = generation(changes, "by_town", changed);
                added = generation(changes, "by_score", added);
                await(() -> diary.moments().contains(Moment.BUILDING));
                BoundedWait.rest(Duration.ofMillis(random.nextInt(MOST_REST_MS)));
                copied = copied(built);
            }
            case VERIFYING -> {
                await(() -> diary.shardsThatWere(changed, "Verifying") == SHARDS);
                BoundedWait.rest(Duration.ofMillis(random.nextInt(SHORT_REST_MS)));
            }
            case SWITCHING -> await(() -> diary.shardsThatWere(changed, "Ready") > 0);
            case DROPPING -> {
                built.bringInForce(catalog(round, false));
                await(() -> diary.shardsThatWere(added, "Dropping") > 0);
            }
        }
    }

    private void strike(StackUnderTest stack, BuiltIndexes built, ShardLog diary) throws Exception {
        stack.kill(Role.WORKER);
        diary.moments().forEach(moment -> hits.merge(moment, 1, Integer::sum));
        stack.startAgain(Role.WORKER);
        built.fieldsOfAnAnswer();
        Map<Integer, Long> before = copied;
        copied = Map.of();
        copied(built)
                .forEach((partition, offset) -> assertThat(offset)
                        .as("how far partition %d was read", partition)
                        .isGreaterThanOrEqualTo(before.getOrDefault(partition, 0L)));
    }

    /** How far each shard has read for the index by town, where it still reads. */
    private static Map<Integer, Long> copied(BuiltIndexes built) throws IOException, InterruptedException {
        Map<Integer, Long> offsets = new TreeMap<>();
        for (JsonNode shard : built.describe("by_town").path("shards")) {
            if (shard.has("copied")) {
                offsets.put(
                        shard.path("partition").asInt(), shard.path("copied").asLong());
            }
        }
        return offsets;
    }

    /** The catalog with the projection that is due, and with another index or without it. */
    private static String catalog(int round, boolean scored) throws IOException {
        int cycle = round / AIMS.size() + 1;
        String projection = PROJECTIONS.get(cycle % PROJECTIONS.size());
        String catalog = BuiltIndexes.catalogText().replace("projection: all", "projection: " + projection);
        return scored ? catalog + "      by_score: { key: [score], projection: [name] }\n" : catalog;
    }

    private static long generation(JsonNode changes, String index, long otherwise) {
        for (JsonNode change : changes) {
            if (change.path("index").asText().equals(index)) {
                return change.path("generation").asLong();
            }
        }
        return otherwise;
    }

    /** Without a pause in between, because what is waited for is short. */
    private static void await(Callable<Boolean> condition) throws InterruptedException {
        boolean came = BoundedWait.until(
                () -> {
                    try {
                        return condition.call();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                PATIENCE,
                Duration.ofMillis(1));
        assertThat(came).isTrue();
    }
}
