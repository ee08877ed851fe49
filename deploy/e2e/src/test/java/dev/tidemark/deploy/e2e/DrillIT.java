package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.chaos.DrillText;
import dev.tidemark.deploy.chaos.http.HttpCallers;
import dev.tidemark.deploy.drill.Drill;
import dev.tidemark.deploy.drill.Drill.DrillStack;
import dev.tidemark.deploy.drill.Drill.DrillTools;
import dev.tidemark.deploy.drill.DrillPlan;
import dev.tidemark.deploy.drill.DrillReport;
import dev.tidemark.deploy.drill.FaultKind;
import dev.tidemark.deploy.drill.FaultStats.ServiceFailpoint;
import dev.tidemark.deploy.drill.kafka.KafkaTamper;
import dev.tidemark.deploy.e2e.running.RunTotals;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.PostgresPrograms;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.runtime.SteadyClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A short drill: kills at some of the named points, and some rounds of other faults. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
class DrillIT {
    private static final int ROUNDS = Integer.getInteger("drill.rounds", 1);
    private static final Duration MOST = Duration.ofSeconds(5);
    private static final Duration ROUND = Duration.ofMillis(2_500);

    /** Until each of many hostile clients has been connected, on a machine that does much else. */
    private static final Duration FLOOD = Duration.ofSeconds(10);

    /** The walk has been to the named points before. */
    private static final Set<FaultKind> FAULTS = EnumSet.range(FaultKind.PAUSE, FaultKind.DAMAGE);

    private static final int EACH = Integer.getInteger("drill.each", 1);

    /**
     * For a slow machine that has the simulation to run as well; a quiet one takes a minute to be once at every point.
     */
    private static final Duration WALK = Duration.ofMinutes(7).multipliedBy(EACH);

    /** Only every Nth point, as the seed chooses; {@code -Ddrill.share=1} walks all. */
    private static final int SHARE = Integer.getInteger("drill.share", 16);

    @Test
    void nothingIsLostOrLeftOverWhateverIsKilled() throws Exception {
        DrillPlan plan = new DrillPlan(
                seed(),
                new DrillPlan.Walk(EACH, SHARE, WALK),
                ROUNDS,
                Optional.of(MOST),
                FAULTS,
                ROUND,
                DrillPlan.Groups.ONE);
        DrillReport report = run(plan, "drill", false);
        String text = text(report);
        assertThat(report.missed())
                .as(text)
                .doesNotContainAnyElementsOf(
                        plan.walked().stream().map(ServiceFailpoint::label).toList());
        assertThat(report.kills()).as(text).isGreaterThanOrEqualTo(plan.walked().size() * EACH);
        assertThat(report.directory().resolveSibling("history.jsonl")).isNotEmptyFile();
    }

    @Test
    @TakesTurns(turn = 1, of = 3)
    void nothing_is_lost_and_no_process_ends_under_hostile_clients() throws Exception {
        DrillPlan plan = new DrillPlan(
                seed(),
                new DrillPlan.Walk(0, 1, WALK),
                1,
                Optional.empty(),
                EnumSet.of(FaultKind.CLIENTS),
                FLOOD,
                DrillPlan.Groups.ONE);
        DrillReport report = run(plan, "drill-clients", false);
        assertThat(report.kills()).as(text(report)).isZero();
        assertThat(report.faults().faults()).as(text(report)).containsKey(FaultKind.CLIENTS);
    }

    /** Another replica group answers while one is hit. */
    @Test
    @TakesTurns(turn = 0, of = 3)
    void no_answer_is_wrong_while_a_worker_of_another_replica_group_is_hit() throws Exception {
        DrillPlan plan = new DrillPlan(
                seed(),
                new DrillPlan.Walk(0, 1, WALK),
                1,
                Optional.empty(),
                EnumSet.of(FaultKind.PEER),
                ROUND,
                new DrillPlan.Groups(1, 2));
        DrillReport report = run(plan, "drill-groups", false);
        assertThat(report.faults().faults()).as(text(report)).containsKey(FaultKind.PEER);
    }

    @Test
    @TakesTurns(turn = 2, of = 3)
    void nothing_is_lost_when_the_postgresql_of_two_writers_is_killed() throws Exception {
        assumeTrue(
                PostgresPrograms.findOrUnpack(System.getenv()).isPresent(),
                "PostgreSQL is not there, so that none is killed");
        DrillPlan plan = new DrillPlan(
                seed(),
                new DrillPlan.Walk(0, 1, WALK),
                1,
                Optional.empty(),
                EnumSet.of(FaultKind.POSTGRES),
                ROUND,
                DrillPlan.Groups.ONE);
        DrillReport report = run(plan, "drill-postgres", true);
        assertThat(report.faults().faults()).as(text(report)).containsKey(FaultKind.POSTGRES);
    }

    private static long seed() {
        long seed = Long.getLong("drill.seed", new SteadyClock().millis());
        System.out.println("Drill: -Ddrill.seed=" + seed + " repeats this");
        return seed;
    }

    private static DrillReport run(DrillPlan plan, String directory, boolean postgresql) throws Exception {
        DrillStack stack = new DrillStack(Installation.locate(), StackUnderTest.emptyDirectory(directory), postgresql);
        DrillTools tools = new DrillTools(new HttpServices(), new HttpCallers(), KafkaTamper::new);
        System.out.println("Drill in " + stack.directory());
        DrillReport report = Drill.run(
                plan,
                stack,
                tools,
                new SteadyClock(),
                (soFar, took) -> System.out.println(DrillText.round(soFar, took)));
        System.out.println(text(report));
        RunTotals.killed(report.kills());
        report.probe().ifPresent(probe -> RunTotals.lagJudged(probe.judged()));
        assertThat(report.findings().differences()).as(text(report)).isEmpty();
        return report;
    }

    private static String text(DrillReport report) {
        return String.join(
                "\n", DrillText.render(report, Terminals.Recorded.pipe().terminal()));
    }
}
