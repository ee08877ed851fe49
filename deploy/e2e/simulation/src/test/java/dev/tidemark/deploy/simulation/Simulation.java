package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/**
 * One run of the whole system, determined by its seed: random steps with faults, then steps without until all is quiet.
 * There are one or two tables, one writer with a disk or two with a database, one or two workers, and in some runs
 * another replica group with one more. Either topics lose records, or fact tables are put back to copies; both at once
 * is too much.
 */
final class Simulation {
    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int STEPS = 400;

    /** Of several workers, whose steps are more, and who are asked for pages after them. */
    private static final int STEPS_OF_SEVERAL = 200;

    private static final int CHECK_EVERY = 10;
    /** Receipts are asked for less often, because each looks through a whole shard. */
    private static final int ASK_EVERY = 50;

    private static final int MAX_QUIET_STEPS = 20_000;

    private static final int NOTES_SETTLE = 500;

    /** How often each kind of step is taken, where odds are as usual. */
    private static final List<Integer> STEP_KINDS = List.of(0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 5, 6, 7);

    private static final int RARE_KINDS = 18;

    private static final int LOSES_A_TAIL = 7;
    private static final int REPLACES_A_TOPIC = 8;
    private static final int FAVOURED = 8;

    /** Until deletes that were published then are forgotten, their marks cleaned, and gone. */
    private static final int PERIODS_AWAY = 6;

    private static final int RELAY_TURNS = 8;

    /** As many are read from several workers that are all well at first. */
    private static final int PAGES = 20;

    private final RandomSource chance;
    private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<TableDefinition> tables = new ArrayList<>();
    private final Histories histories = new Histories();
    private final ExpectedEntries expected = new ExpectedEntries();
    private final SimulatedTopics topics;
    private final List<SimulatedGroup> groups = new ArrayList<>();
    private final SimulatedDefinitions definitions;
    private final SimulatedWriter writer;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final SimulatedClient client;
    private final Map<Place, Check> checks = new HashMap<>();
    private final Optional<SimulatedShop> shop;
    private final boolean factsGoBack;
    private final int[] rareOdds;
    private Stall stalled = Stall.NONE;

    /** A part of the writer that stands still. */
    private enum Stall {
        NONE,
        COMMITTER,
        RELAY
    }

    private Simulation(long seed, Rule broken, boolean twoWriters) {
        chance = new RandomSource(seed);
        factsGoBack = twoWriters || chance.oneIn(6);
        rareOdds = chance.weights(RARE_KINDS);
        tables.add(SampleTable.definition());
        if (chance.oneIn(2)) {
            tables.add(chance.pick(SampleTable.KINDS_BESIDE));
        }
        favour(broken);
        shop = tables.stream()
                .filter(table -> table.source().isPresent())
                .findFirst()
                .map(table -> new SimulatedShop(table, clock, chance, broken));
        int members = chance.oneIn(3) ? 2 : 1;
        boolean another = members > 1 && chance.oneIn(3);
        definitions = new SimulatedDefinitions(tables);
        topics = new SimulatedTopics(definitions, clock, chance);
        groups.add(new SimulatedGroup("a", definitions, topics, members, chance));
        if (another) {
            groups.add(new SimulatedGroup("b", definitions, topics, 1, chance));
        }
        Surroundings around = new Surroundings(tables, topics, clock, chance, histories, broken, definitions, shop);
        writer = twoWriters ? new SharedWriters(around) : new WriterOnDisk(around);
        SimulatedNetwork network = new SimulatedNetwork(workers, groups, clock, chance, broken, this::goOnWithout);
        for (int i = 0; i < members; i++) {
            addWorker(i, groups.get(0), network, broken);
        }
        if (another) {
            addWorker(0, groups.get(1), network, broken);
        }
        client = new SimulatedClient(this, tables, workers, chance, broken);
    }

    /** Has a run meet what a broken rule needs to be noticed, and most runs do not. */
    private void favour(Rule broken) {
        if (broken.isOfASource()) {
            tables.subList(1, tables.size()).clear();
            tables.add(SampleTable.FOLLOWING);
        }
        switch (broken) {
            case A_TOPIC_HAS_AN_IDENTITY -> rareOdds[REPLACES_A_TOPIC] += FAVOURED;
            case UNACKNOWLEDGED_RECORDS_HIDE_NO_LOSS -> rareOdds[LOSES_A_TAIL] += FAVOURED;
            default -> {}
        }
    }

    private void addWorker(int number, SimulatedGroup group, SimulatedNetwork network, Rule broken) {
        workers.add(new SimulatedWorker(
                number, topics, group, network, writer, clock, chance, histories, broken, definitions));
    }

    /** Runs one seed; what went wrong first, empty when everything held. */
    static Optional<String> run(long seed, Rule broken) {
        return run(seed, broken, broken.isOfTwoWriters(), new Coverage());
    }

    /**
     * The same, and counts what the run meets.
     *
     * @param twoWriters whether two writers share a database, in place of one writer with a disk
     */
    static Optional<String> run(long seed, Rule broken, boolean twoWriters, Coverage coverage) {
        Simulation simulation = new Simulation(seed, broken, twoWriters);
        Optional<String> wrong = simulation.run();
        coverage.add(simulation.chance.met());
        return wrong;
    }

    private Optional<String> run() {
        int steps = workers.size() == 1 ? STEPS : STEPS_OF_SEVERAL;
        for (int step = 1; step <= steps; step++) {
            step();
            if (step % CHECK_EVERY == 0) {
                meet();
                int at = step;
                boolean asks = step % ASK_EVERY == 0;
                Optional<String> wrong = writer.violation()
                        .or(histories.writes()::violation)
                        .or(client::violation)
                        .or(() -> firstViolation(check -> asks ? check.nowAndThen : check.always, "step " + at));
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        }
        return settle().or(writer::violation)
                .or(histories.writes()::violation)
                .or(this::read)
                .or(() -> firstViolation(check -> check.finallyToo, "the end"))
                .or(this::askEveryone);
    }

    /**
     * Pages are read from workers that are well, because a group that is not hardly answers; writes, moves and ends of
     * processes go on between them. Then all becomes quiet again.
     */
    private Optional<String> read() {
        if (workers.size() == 1) {
            return Optional.empty();
        }
        chance.beginFaults();
        for (int i = 1; i <= PAGES; i++) {
            client.ask();
            if (client.violation().isPresent()) {
                return client.violation();
            }
            writer.submit(request());
            writer.commit();
            writer.relay();
            if (chance.oneIn(PAGES / 4)) {
                disturb();
            }
            goOnWithout(null);
            clock.advance(Duration.ofMillis(chance.below(100)));
            Optional<String> wrong =
                    i % CHECK_EVERY == 0 ? firstViolation(check -> check.always, "page " + i) : Optional.empty();
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return settle();
    }

    /** A table that has a topic, and a worker. */
    private record Place(String table, SimulatedWorker worker) {}

    /** What is looked at in a place; each guarantee may remember what it has seen. */
    private static final class Check {
        private final List<Guarantee> always = List.of(
                new LagIsNeverUnderReported(),
                new AcknowledgedWritesSurvive(),
                new ServingIndexesAreRight(),
                new DigestsAgree(),
                new ShardsAreWhole(),
                new ReadyMeansProven(),
                new ProgressOnlyGrows(),
                new NotesAreNotAhead());
        private final List<Guarantee> nowAndThen = new ArrayList<>(always);
        private final List<Guarantee> finallyToo;

        Check(Place place) {
            nowAndThen.add(new VerifyHasNoFalseAlarm(false));
            nowAndThen.add(new PoisonIsListed());
            if (!DerivedTable.is(place.table())) {
                nowAndThen.add(new ReceiptsAreAccurate(false));
                nowAndThen.add(new TokensAreHonoured());
                nowAndThen.add(new AnswersAreWhole());
            }
            finallyToo = new ArrayList<>(nowAndThen);
            finallyToo.add(new VerifyHasNoFalseAlarm(true));
            if (!DerivedTable.is(place.table())) {
                finallyToo.add(new ReceiptsAreAccurate(true));
            }
            finallyToo.add(new IndexesEqualFacts());
            finallyToo.add(new TopicsEqualFacts());
        }
    }

    Instant trueTime() {
        return clock.instant();
    }

    ExpectedEntries expected() {
        return expected;
    }

    History history(String table) {
        return histories.of(table);
    }

    /** The other database, where a table follows one. */
    Optional<SimulatedShop> shop() {
        return shop;
    }

    SimulatedTopics topics() {
        return topics;
    }

    SimulatedDefinitions definitions() {
        return definitions;
    }

    List<SimulatedGroup> groups() {
        return groups;
    }

    SimulatedWriter writer() {
        return writer;
    }

    /** Whether a change is of the epoch that the fact tables are in, which is known. */
    boolean isOfThePresent(ChangeEvent event) {
        return !writer.isUnsettled()
                && writer.facts().lastCommit().version().epoch()
                        == event.version().epoch();
    }

    /** What has a topic and shards: the tables, and those that are derived from them for global indexes. */
    private List<TableDefinition> homes() {
        return definitions.layout().tables().stream()
                .map(DesiredTable::definition)
                .toList();
    }

    private Optional<String> firstViolation(Function<Check, List<Guarantee>> due, String when) {
        List<TableDefinition> homes = homes();
        checks.keySet()
                .removeIf(place -> homes.stream().noneMatch(home -> home.name().equals(place.table())));
        for (SimulatedWorker worker : workers) {
            for (TableDefinition table : homes) {
                Watched watched = new Watched(this, table, worker);
                Check check = checks.computeIfAbsent(new Place(table.name(), worker), Check::new);
                for (Guarantee guarantee : due.apply(check)) {
                    List<String> violations = guarantee.violations(watched);
                    if (!violations.isEmpty()) {
                        String who = guarantee.getClass().getSimpleName();
                        return Optional.of(who + " at " + when + " of " + table.name() + ": " + violations.get(0));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Tells which states the run is in. */
    private void meet() {
        writer.meet();
        workers.forEach(SimulatedWorker::meet);
        boolean twice = groups.stream()
                .anyMatch(group -> group.shards().stream()
                        .anyMatch(shard -> owners(group, shard).size() > 1));
        if (twice) {
            chance.meet(CoveragePoint.TWO_WORKERS_HELD_A_SHARD);
        }
    }

    private void step() {
        switch (chance.pick(STEP_KINDS)) {
            case 0 -> writer.submit(request());
            case 1 -> commit();
            case 2 -> relay();
            case 3 -> worker().step();
            case 4 -> clock.advance(Duration.ofMillis(chance.below(400)));
            case 5 -> rarely();
            case 6 -> topics.compact();
            default -> askSeldom();
        }
    }

    /** Most questions are in vain while so much goes wrong. */
    private void askSeldom() {
        if (chance.oneIn(3)) {
            client.ask();
        }
    }

    private void commit() {
        shop.ifPresent(source -> {
            if (chance.oneIn(3)) {
                source.commit();
            }
            if (chance.faultOneIn(40)) {
                chance.meet(CoveragePoint.THE_PROCESS_OF_A_SOURCE_ENDED);
                source.restart();
            }
            source.step(writer);
        });
        if (stalled != Stall.COMMITTER) {
            writer.commit();
        }
    }

    private void relay() {
        if (stalled != Stall.RELAY) {
            writer.relay();
        }
    }

    private SimulatedWorker worker() {
        return chance.pick(workers);
    }

    private SimulatedLog log() {
        return chance.pick(List.copyOf(topics.all()));
    }

    private void lose(Runnable inTopics, Runnable inFacts) {
        (factsGoBack ? inFacts : inTopics).run();
    }

    /** What several workers can live with and go on to answer. */
    private void disturb() {
        switch (chance.below(4)) {
            case 0 -> crashAWorker();
            case 1 -> worker().stall(true);
            case 2 -> goOn();
            default -> group().move();
        }
    }

    private SimulatedGroup group() {
        return groups.size() == 1 ? groups.get(0) : chance.pick(groups);
    }

    private void rarely() {
        switch (chance.kind(rareOdds)) {
            case 0 -> writer.crash();
            case 1 -> crashAWorker();
            case 2 -> worker().loseDisk();
            case 3 -> clock.advance(Duration.ofMinutes(chance.below(120)));
            case 4 -> clock.advance(Duration.ofHours(chance.below(24 * 9)));
            case 5, 6 -> changeDefinitions();
            case LOSES_A_TAIL -> lose(log()::loseTail, writer::backUp);
            case REPLACES_A_TOPIC -> lose(this::replaceTopic, writer::putBack);
            case 9 -> log().poison();
            case 10 -> leaveTheWorkersAlone();
            case 11 -> lose(this::loseHead, () -> {});
            case 12 -> suspendAWorker();
            case 13 -> suspendTheWriter();
            case 14 -> stall();
            case 15 -> goOn();
            case 16 -> group().move();
            default -> clock.advance(Duration.ofSeconds(chance.below(10)));
        }
    }

    /** Often operators change their minds at once. */
    private void changeDefinitions() {
        for (int i = chance.below(3); i >= 0 && writer.commitTime().isPresent(); i--) {
            definitions.change(chance);
            if (chance.oneIn(2)) {
                writer.commit();
                writer.relay();
            }
        }
    }

    /** The group finds out at once or later, and then somebody else may get what the worker had. */
    private void crashAWorker() {
        SimulatedWorker worker = worker();
        if (chance.oneIn(2)) {
            worker.group().strikeOff(worker.number());
        }
        worker.crash();
    }

    /** Often the new topic is longer than the old one when a worker looks at it again. */
    private void replaceTopic() {
        log().replace();
        for (int i = chance.below(2) * PERIODS_AWAY; i > 0; i--) {
            writeAndRelay();
        }
    }

    /** Seldom, because all is published again afterwards. */
    private void loseHead() {
        if (chance.oneIn(4)) {
            log().loseHead();
        }
    }

    /** One thread gets no processor for a long time, or waits for something that does not come. */
    private void stall() {
        chance.meet(CoveragePoint.A_PART_STOOD_STILL);
        switch (chance.below(4)) {
            case 0 -> stalled = Stall.COMMITTER;
            case 1 -> stalled = Stall.RELAY;
            default -> worker().stall(true);
        }
    }

    private void goOn() {
        stalled = Stall.NONE;
        workers.forEach(worker -> worker.stall(false));
    }

    /**
     * A worker's machine does not run, for a moment or for hours, and all else goes on; the group may take it for dead.
     */
    private void suspendAWorker() {
        chance.meet(CoveragePoint.A_WORKER_WAS_SUSPENDED);
        Instant began = clock.instant();
        SimulatedWorker suspended = worker();
        if (chance.oneIn(2)) {
            suspended.group().strikeOff(suspended.number());
        }
        for (int i = 0; i < 4; i++) {
            writer.submit(request());
            writer.commit();
            writer.relay();
            for (SimulatedWorker other : workers) {
                if (other != suspended) {
                    other.step();
                    other.step();
                }
            }
            clock.advance(pause());
        }
        suspended.wasSuspendedSince(began);
    }

    /** All but one worker go on, which is being asked something, or without any. */
    private void goOnWithout(@Nullable SimulatedWorker asked) {
        if (chance.oneIn(4)) {
            group().move();
        }
        for (int i = 0; i < 4; i++) {
            SimulatedWorker other = worker();
            if (other != asked) {
                other.step();
            }
        }
    }

    /** The same the other way round. */
    private void suspendTheWriter() {
        chance.meet(CoveragePoint.THE_WRITER_WAS_SUSPENDED);
        Instant began = clock.instant();
        for (int i = 0; i < 4; i++) {
            worker().step();
            clock.advance(pause());
        }
        writer.wasSuspendedSince(began);
    }

    private Duration pause() {
        return chance.oneIn(2) ? Duration.ofMillis(chance.below(2_000)) : Duration.ofMinutes(chance.below(60));
    }

    /** For longer than tombstones are kept, nobody runs the workers, and all else goes on. */
    private void leaveTheWorkersAlone() {
        chance.meet(CoveragePoint.THE_WORKERS_WERE_AWAY_FOR_LONG);
        for (int i = 0; i < PERIODS_AWAY; i++) {
            writeAndRelay();
            clock.advance(Duration.ofDays(1 + chance.below(4)));
            topics.compact();
            topics.compact();
        }
    }

    private void writeAndRelay() {
        writer.submit(request());
        writer.commit();
        for (int turn = 0; turn < RELAY_TURNS; turn++) {
            writer.relay();
        }
    }

    /** Soon all notes are of the present, and then every worker answers for all. */
    private Optional<String> askEveryone() {
        Optional<String> silent = client.askEveryone();
        for (int i = 0;
                i < NOTES_SETTLE && silent.isPresent() && client.violation().isEmpty();
                i++) {
            quietStep();
            silent = client.askEveryone();
        }
        return silent;
    }

    private void quietStep() {
        shop.ifPresent(source -> source.step(writer));
        writer.commit();
        writer.relay();
        workers.forEach(SimulatedWorker::step);
        clock.advance(Duration.ofMillis(20));
    }

    private Optional<String> settle() {
        chance.endFaults();
        topics.deliverLate(true);
        definitions.resumeAll();
        goOn();
        for (int i = 0; i < MAX_QUIET_STEPS; i++) {
            quietStep();
            if (isSettled()) {
                return Optional.empty();
            }
            Optional<String> wrong =
                    i % CHECK_EVERY == 0 ? firstViolation(check -> check.always, "quiet step " + i) : Optional.empty();
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.of("is not settled: " + unsettled());
    }

    /** What is not as it should be once all is quiet; empty when everything is. */
    private String unsettled() {
        StringBuilder missing = new StringBuilder();
        missing.append(writer.isDrained() ? "" : "the outbox is not drained, ");
        missing.append(
                shop.filter(source -> !source.isThrough(writer)).isPresent() ? "a source is not followed, " : "");
        missing.append(topics.isLateOver() ? "" : "a record is late, ");
        missing.append(topics.areWhole() ? "" : "a topic lacks its beginning, ");
        missing.append(
                history(SampleTable.NAME).hasLost()
                                || writer.hadOneTooMany()
                                || topics.leftover().isEmpty()
                        ? ""
                        : "topics of no table are left, ");
        for (SimulatedWorker worker : workers) {
            missing.append(worker.isCaughtUp() ? "" : "a shard lags, ");
            missing.append(worker.isReady() ? "" : "a generation is not ready, ");
            missing.append(worker.isCompared() ? "" : "a generation is not compared, ");
        }
        for (SimulatedGroup group : groups) {
            group.shards().stream()
                    .filter(shard -> !isFresh(group, shard))
                    .forEach(shard -> missing.append(shard).append(" is not fresh or not open once, "));
        }
        return missing.toString();
    }

    /** Asks first what takes longest to come true. */
    private boolean isSettled() {
        return writer.isDrained()
                && workers.stream().allMatch(worker -> worker.isCaughtUp() && worker.isReady())
                && unsettled().isEmpty();
    }

    private List<SimulatedWorker> owners(SimulatedGroup group, ShardId shard) {
        return workers.stream()
                .filter(worker -> worker.group() == group && worker.assigned().contains(shard))
                .toList();
    }

    /**
     * One worker of a group has the shard, and whatever the clocks show, what is told of it comes back to less than a
     * second, and to no record behind. It has heard of the last commit, so that it can be compared with the table.
     */
    private boolean isFresh(SimulatedGroup group, ShardId shard) {
        List<SimulatedWorker> owners = owners(group, shard);
        return owners.size() == 1
                && owners.get(0).isSaidToBeThrough(shard)
                && owners.get(0).hasHeardOf(writer.facts().lastCommit().version(), shard)
                && owners.get(0)
                        .freshness(shard)
                        .filter(age -> age.compareTo(FRESH) < 0)
                        .isPresent();
    }

    private WriteRequest request() {
        TableDefinition table = chance.pick(
                tables.stream().filter(one -> one.source().isEmpty()).toList());
        List<WriteCommand> commands = new ArrayList<>();
        int count = chance.oneIn(4) ? 1 + chance.below(4) : 1;
        for (int i = 0; i < count; i++) {
            commands.add(command(table));
        }
        return new WriteRequest(table.name(), commands, chance.oneIn(3), 100);
    }

    private WriteCommand command(TableDefinition table) {
        int id = chance.below(SampleTable.ROWS);
        ObjectNode row = SampleTable.row(id, chance);
        KeyBytes key = key(table, row);
        Precondition condition = chance.oneIn(3) ? condition(history(table.name()), key) : Precondition.NONE;
        return switch (chance.below(4)) {
            case 0 -> new WriteCommand.Delete(key, condition);
            case 1 ->
                new WriteCommand.Patch(key, RowJson.mapper().createObjectNode().put("town", "Delft"), condition);
            default ->
                new WriteCommand.Put(key, RowDocument.of(histories.writes().marked(row)), condition);
        };
    }

    /** One that holds of the row as a client saw it last, if nothing has changed, or that hardly ever holds. */
    private Precondition condition(History history, KeyBytes key) {
        Optional<ChangeEvent> seen = history.newest(key);
        if (chance.oneIn(6)) {
            return chance.pick(List.of(
                    Precondition.Presence.ABSENT,
                    Precondition.Presence.PRESENT,
                    new Precondition.IfBefore(histories.last())));
        }
        return seen.isPresent() && seen.get() instanceof ChangeEvent.Upserted row
                ? new Precondition.IfVersion(Set.of(row.version()))
                : Precondition.Presence.ABSENT;
    }

    private static KeyBytes key(TableDefinition table, ObjectNode row) {
        try {
            return table.keyOf(row);
        } catch (BadKeyException e) {
            throw new AssertionError(e);
        }
    }
}
