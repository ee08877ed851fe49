package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/** One run of the whole system, determined by its seed: random steps with faults, then steps without until all is quiet. */
final class Simulation {
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int STEPS = 400;
    private static final int CHECK_EVERY = 10;
    /** Receipts are asked for less often, because each looks through a whole shard. */
    private static final int ASK_EVERY = 50;

    private static final int MAX_QUIET_STEPS = 20_000;

    private final Chance chance;
    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final TableDefinition table = SampleTable.definition();
    private final History history = new History();
    private final ExpectedEntries expected = new ExpectedEntries();
    private final SimulatedLog log = new SimulatedLog(table, clock);
    private final SimulatedWriter writer;
    private final SimulatedDefinitions definitions = new SimulatedDefinitions();
    private final SimulatedWorker worker;
    private final boolean factsGoBack;

    private Simulation(long seed, Rule broken, boolean factsGoBack) {
        this.chance = new Chance(seed);
        this.factsGoBack = factsGoBack;
        this.writer = new SimulatedWriter(table, log, clock, chance, history, broken, definitions);
        this.worker = new SimulatedWorker(table, log, writer, clock, chance, history, broken, definitions);
    }

    /** Runs one seed; what went wrong first, empty when everything held. */
    static Optional<String> run(long seed, Rule broken) {
        return run(new Simulation(seed, broken, false));
    }

    /** The same, but instead of topics that lose records there are fact tables that are put back to copies. */
    static Optional<String> runPuttingBack(long seed, Rule broken) {
        return run(new Simulation(seed, broken, true));
    }

    private static Optional<String> run(Simulation simulation) {
        List<Guarantee> always = List.of(
                new LagIsHonest(),
                new AcknowledgedWritesSurvive(),
                new ServingIndexesAreRight(),
                new DigestsAgree(),
                new ShardsAreWhole(),
                new ReadyMeansProven(),
                new ProgressOnlyGrows());
        List<Guarantee> nowAndThen = new ArrayList<>(always);
        nowAndThen.add(new ReceiptsAreHonest());
        nowAndThen.add(new VerifyHasNoFalseAlarm());
        nowAndThen.add(new TokensAreHonoured());
        nowAndThen.add(new AnswersAreWhole());
        nowAndThen.add(new PoisonIsListed());
        for (int step = 1; step <= STEPS; step++) {
            simulation.step();
            if (step % CHECK_EVERY == 0) {
                List<Guarantee> due = step % ASK_EVERY == 0 ? nowAndThen : always;
                Optional<String> wrong = simulation.firstViolation(due, "step " + step);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        }
        Optional<String> unsettled = simulation.settle(always);
        if (unsettled.isPresent()) {
            return unsettled;
        }
        List<Guarantee> finallyToo = new ArrayList<>(nowAndThen);
        finallyToo.add(new IndexesEqualFacts());
        finallyToo.add(new TopicsEqualFacts());
        return simulation.firstViolation(finallyToo, "the end");
    }

    Instant trueTime() {
        return clock.instant();
    }

    TableDefinition table() {
        return table;
    }

    ExpectedEntries expected() {
        return expected;
    }

    History history() {
        return history;
    }

    SimulatedLog log() {
        return log;
    }

    SimulatedDefinitions definitions() {
        return definitions;
    }

    SimulatedWriter writer() {
        return writer;
    }

    SimulatedWorker worker() {
        return worker;
    }

    private Optional<String> firstViolation(List<Guarantee> guarantees, String when) {
        for (Guarantee guarantee : guarantees) {
            List<String> violations = guarantee.violations(this);
            if (!violations.isEmpty()) {
                return Optional.of(guarantee.getClass().getSimpleName() + " at " + when + ": " + violations.get(0));
            }
        }
        return Optional.empty();
    }

    private void step() {
        switch (chance.below(16)) {
            case 0, 1, 2 -> writer.submit(request());
            case 3, 4 -> writer.commit();
            case 5, 6, 7 -> writer.relay();
            case 8, 9, 10, 11, 12 -> worker.step();
            case 13 -> clock.advance(Duration.ofMillis(chance.below(400)));
            case 14 -> rarely();
            default -> log.compact(chance);
        }
    }

    /** Either topics lose something or the fact tables do; both at once is too much. */
    private void lose(Runnable inTopics, Runnable inFacts) {
        (factsGoBack ? inFacts : inTopics).run();
    }

    private void rarely() {
        switch (chance.below(16)) {
            case 0 -> writer.crash();
            case 1 -> worker.crash();
            case 2 -> worker.loseDisk();
            case 3 -> clock.advance(Duration.ofMinutes(chance.below(120)));
            case 4 -> clock.advance(Duration.ofHours(chance.below(24 * 9)));
            case 5, 6, 7 -> definitions.change(chance);
            case 8 -> lose(() -> log.loseTail(chance), writer::backUp);
            case 9 -> lose(log::replace, writer::putBack);
            case 10 -> log.poison(chance);
            case 11 -> leaveTheWorkerAlone();
            case 12 -> lose(() -> loseHead(), () -> {});
            case 13 -> suspendTheWorker();
            case 14 -> suspendTheWriter();
            default -> clock.advance(Duration.ofSeconds(chance.below(10)));
        }
    }

    /** Seldom, because all is published again afterwards. */
    private void loseHead() {
        if (chance.oneIn(4)) {
            log.loseHead(chance);
        }
    }

    /** The worker's machine does not run, for a moment or for hours, and the writer goes on. */
    private void suspendTheWorker() {
        Instant began = clock.instant();
        for (int i = 0; i < 4; i++) {
            writer.submit(request());
            writer.commit();
            writer.relay();
            clock.advance(pause());
        }
        worker.wasSuspendedSince(began);
    }

    /** The same the other way round. */
    private void suspendTheWriter() {
        Instant began = clock.instant();
        for (int i = 0; i < 4; i++) {
            worker.step();
            clock.advance(pause());
        }
        writer.wasSuspendedSince(began);
    }

    private Duration pause() {
        return chance.oneIn(2) ? Duration.ofMillis(chance.below(2_000)) : Duration.ofMinutes(chance.below(60));
    }

    /** For longer than tombstones are kept, nobody runs the worker, and all else goes on. */
    private void leaveTheWorkerAlone() {
        for (int i = 0; i < 4; i++) {
            writer.submit(request());
            writer.commit();
            writer.relay();
            writer.relay();
            clock.advance(Duration.ofDays(1 + chance.below(4)));
            log.compact(chance);
            log.compact(chance);
        }
    }

    private Optional<String> settle(List<Guarantee> always) {
        chance.endFaults();
        log.deliverLate(chance, true);
        definitions.resumeAll();
        for (int i = 0; i < MAX_QUIET_STEPS; i++) {
            writer.commit();
            writer.relay();
            worker.step();
            clock.advance(Duration.ofMillis(20));
            if (writer.isDrained()
                    && log.isWhole()
                    && worker.isCaughtUp()
                    && worker.isReady()
                    && worker.isCompared()
                    && isFresh()) {
                return Optional.empty();
            }
            Optional<String> wrong =
                    i % CHECK_EVERY == 0 ? firstViolation(always, "quiet step " + i) : Optional.empty();
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.of(
                "lag did not reach 0, freshness did not come back, or an index did not become ready or compared");
    }

    /** Whatever the clocks show, what is told comes back to less than a second. */
    private boolean isFresh() {
        return IntStream.range(0, table.partitions())
                .allMatch(partition -> worker.freshness(partition)
                        .filter(age -> age.compareTo(FRESH) < 0)
                        .isPresent());
    }

    private WriteRequest request() {
        List<WriteCommand> commands = new ArrayList<>();
        int count = chance.oneIn(4) ? 1 + chance.below(4) : 1;
        for (int i = 0; i < count; i++) {
            commands.add(command());
        }
        return new WriteRequest(SampleTable.NAME, commands, chance.oneIn(3), 100);
    }

    private WriteCommand command() {
        int id = chance.below(SampleTable.ROWS);
        ObjectNode row = SampleTable.row(id, chance);
        KeyBytes key = key(row);
        return switch (chance.below(4)) {
            case 0 -> new WriteCommand.Delete(key, Precondition.NONE);
            case 1 ->
                new WriteCommand.Patch(
                        key, RowJson.mapper().createObjectNode().put("town", "Delft"), Precondition.NONE);
            default -> new WriteCommand.Put(key, RowDocument.of(row), Precondition.NONE);
        };
    }

    private KeyBytes key(ObjectNode row) {
        try {
            return table.keyOf(row);
        } catch (BadKeyException e) {
            throw new AssertionError(e);
        }
    }
}
