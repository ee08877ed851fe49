package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.load.TokenReader;
import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.CatalogFile;

import static org.assertj.core.api.Assertions.assertThat;

/** Kill -9 of every process at random times under load, with nobody but {@code --restart} to help. */
@Execution(ExecutionMode.CONCURRENT)
class KillsIT {
    private static final int ROUNDS = Integer.getInteger("random.kills", 10);
    private static final int LEAST_REST_MS = 200;
    private static final int MOST_REST_MS = 3_000;
    private static final long LEAST_JUDGED = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PACE = Duration.ofMillis(50);
    private static final String TABLE = "people";
    private static final Path CATALOG = StackUnderTest.resource("/e2e/kills.yaml");

    @Test
    void nothingAcknowledgedIsLostAndIndexesEqualTheFactsAfterKillsOfAll() throws Exception {
        long seed = Long.getLong("kills.seed", new SteadyClock().millis());
        System.out.println("Kills: -Dkills.seed=" + seed + " repeats these");
        try (CommandStack stack = CommandStack.start("kills", CATALOG);
                SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), seed);
                TokenReader reader = TokenReader.start(TABLE, stack.facts(), stack.indexes(), load.history());
                LagNeverUnderReported lag = LagNeverUnderReported.watch(
                        "random kills",
                        stack.facts().http().base(),
                        stack.indexes().http().base())) {
            killInTurn(stack, new Random(seed));
            long before = load.history().acknowledgedCount();
            int seenBefore = reader.seenCount();
            boolean goesOn = BoundedWait.until(() -> load.history().acknowledgedCount() > before, PATIENCE, PACE);
            boolean seesAgain = BoundedWait.until(() -> reader.seenCount() > seenBefore, PATIENCE, PACE);
            load.stop();
            reader.stop();
            System.out.println("Kills: " + load.history().summary() + ", " + reader.seenCount() + " own writes seen");
            assertThat(goesOn)
                    .as("writes acknowledged after the last restart, seed %d", seed)
                    .isTrue();
            assertThat(reader.complaints()).as("seed %d", seed).isEmpty();
            assertThat(seesAgain)
                    .as("own writes seen after the last restart, seed %d", seed)
                    .isTrue();
            check(stack, load, seed);
            // While services are away, most numbers are unknown, and how long that is depends on the machine.
            lag.awaitJudged(LEAST_JUDGED, Source.values());
            lag.check(LEAST_JUDGED);
            endsWithItsChildren(stack);
        }
    }

    private static void killInTurn(CommandStack stack, Random random) throws IOException, InterruptedException {
        Map<ChildId, Long> killed = new HashMap<>();
        for (Role role : victims(random)) {
            ChildId victim = ChildId.first(role);
            BoundedWait.rest(Duration.ofMillis(LEAST_REST_MS + random.nextInt(MOST_REST_MS - LEAST_REST_MS)));
            killed.put(victim, stack.kill(victim));
        }
        for (Map.Entry<ChildId, Long> each : killed.entrySet()) {
            stack.awaitRestart(each.getKey(), each.getValue());
        }
    }

    /** Each role equally often and one of them once more, in any order. */
    private static List<Role> victims(Random random) {
        List<Role> victims = new ArrayList<>();
        while (victims.size() < ROUNDS - 1) {
            victims.addAll(EnumSet.of(Role.BROKER, Role.WRITER, Role.WORKER));
        }
        victims.add(victims.get(random.nextInt(victims.size())));
        Collections.shuffle(victims, random);
        return victims;
    }

    private static void check(CommandStack stack, SteadyLoad load, long seed) throws Exception {
        TableDefinition table = CatalogFile.read(CATALOG).table(TABLE).orElseThrow();
        Facts facts = stack.facts();
        Indexes indexes = stack.indexes();
        try {
            load.history().check(facts.scan(TABLE));
            new LagReachesZero(indexes, new SteadyClock()).check(table);
            new IndexesEqualFacts(facts, indexes).check(table);
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private static void endsWithItsChildren(CommandStack stack) throws IOException, InterruptedException {
        List<Long> children = stack.running();
        assertThat(children).hasSize(3);
        assertThat(stack.terminate()).as("exit code of the stack").isZero();
        assertThat(children)
                .noneMatch(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
    }
}
