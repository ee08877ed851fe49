package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.runtime.Waiting;

/** Kill -9 of the worker at random while indexes are built, verified, switched and dropped under load. */
class BuildKillsIT {
    /** Two take half a minute; more with {@code -Dbuild.kills=20}. */
    private static final int ROUNDS = Integer.getInteger("build.kills", 2);

    private static final int ROWS = 1_500;
    private static final int MOST_REST_MS = 1_200;
    private static final List<String> PROJECTIONS = List.of("all", "[name]", "keys_only", "[name, score]");

    @Test
    void oneGenerationAnswersAndAllIsEqualAtTheEndAfterKillsAtAnyMoment() throws Exception {
        long seed = Long.getLong("kills.seed", new SteadyClock().millis());
        System.out.println("Kills of builds: -Dkills.seed=" + seed + " repeats these");
        Random random = new Random(seed);
        try (StackUnderTest stack = StackUnderTest.start(
                "build-kills",
                settings -> settings.withCatalog(BuiltIndexes.catalogFile())
                        .with(Role.WORKER, "build.rows.per.second", "500"))) {
            BuiltIndexes built = new BuiltIndexes(stack);
            String catalog = BuiltIndexes.catalogText();
            try (SteadyLoad load = SteadyLoad.start(BuiltIndexes.TABLE, stack.facts(), seed)) {
                built.load(ROWS);
                for (int round = 0; round < ROUNDS; round++) {
                    catalog = changed(random);
                    built.bringInForce(catalog);
                    Waiting.rest(Duration.ofMillis(random.nextInt(MOST_REST_MS)));
                    stack.kill(Role.WORKER);
                    stack.startAgain(Role.WORKER);
                    built.fieldsOfAnAnswer();
                }
                load.stop();
            }
            try {
                built.awaitReady("by_town");
                built.checkEqual(catalog);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** The catalog with another projection, and with another index or without it. */
    private static String changed(Random random) throws Exception {
        String projection = PROJECTIONS.get(random.nextInt(PROJECTIONS.size()));
        String catalog = BuiltIndexes.catalogText().replace("projection: all", "projection: " + projection);
        return random.nextBoolean() ? catalog : catalog + "      by_score: { key: [score], projection: [name] }\n";
    }
}
