package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.writer.outbox.TopicInspector.Task;

/**
 * Has each topic looked at when that is due, and acts on what is found: holds the table whose topic cannot be used, has
 * published again what a topic lacks, and lets the others go on. For the relay alone.
 */
final class TopicMaintenance {
    private static final Logger LOGGER = LoggerFactory.getLogger(TopicMaintenance.class);

    /** How often a topic is looked at while all is well, because it may be deleted and made again unnoticed. */
    private static final Duration CHECK_INTERVAL = TopicReconciler.SURE_AFTER;

    private static final Duration WAITING_INTERVAL = Duration.ofSeconds(1);
    private static final Duration REFUSED_INTERVAL = Duration.ofSeconds(5);

    private final TopicReconciler keeper;
    private final TopicInspector looks;
    private final InFlightPages pages;
    private final AcknowledgedEnds ends;
    private final HeldTables held;
    private final Republisher republisher;
    private final StrayRecords strays;
    private final Predicate<String> isInCatalog;
    private final DerivedTables derived;
    private final Duration patience;
    private final Map<String, Plan> plans = new LinkedHashMap<>();
    private final Map<String, Asked> before = new HashMap<>();

    /**
     * Tables whose topics were not judged since the publisher was reset: the topics may have taken uncounted records.
     */
    private final Set<String> unsure = new HashSet<>();

    /** Tables in whose topics records before the end that is known are not dealt with. */
    private final Set<String> undone = new HashSet<>();

    /** Those tables of which the log did not show the topic, with the reason: it did not answer, or forbids it. */
    private final Map<String, String> unknown = new HashMap<>();

    private TopicInspector.@Nullable Question question;
    private @Nullable Instant began;
    private boolean isPatient = true;

    /** Whether derived tables have come or gone that have not all been joined or dropped, maybe because that failed. */
    private boolean isBehind;

    /** How a topic stood when a look was asked for: what was remembered, and how many times its table had been held. */
    private record Asked(Optional<TopicRecord> known, long times) {}

    /** What is to be done with a topic next, and when. */
    private record Plan(Task task, Instant due) {}

    /**
     * Nothing was looked at yet.
     *
     * @param isInCatalog whether a table is; the topic of one that has left is left alone, so that it can be deleted
     * @param patience how long after the first step tables wait for topics of derived ones that the log does not show
     */
    TopicMaintenance(
            TopicReconciler keeper,
            TopicInspector looks,
            InFlightPages pages,
            AcknowledgedEnds ends,
            HeldTables held,
            Republisher republisher,
            StrayRecords strays,
            Predicate<String> isInCatalog,
            DerivedTables derived,
            Duration patience) {
        this.derived = derived;
        this.patience = patience;
        this.isInCatalog = isInCatalog;
        this.keeper = keeper;
        this.looks = looks;
        this.pages = pages;
        this.ends = ends;
        this.held = held;
        this.republisher = republisher;
        this.strays = strays;
        startAgain(Set.of());
        keeper.abandoned().forEach(spec -> plan(new Task.Drop(spec), Instant.MIN));
    }

    /**
     * The publisher was reset, so every topic is looked at again.
     *
     * @param tables in whose topics records before the end that is known are not dealt with
     */
    void startAgain(Set<String> tables) {
        undone.addAll(tables);
        question = null;
        held.clear();
        unknown.clear();
        keeper.specs().forEach(spec -> {
            unsure.add(spec.name());
            plans.put(spec.name(), new Plan(new Task.Look(spec), Instant.MIN));
        });
    }

    /**
     * Whether each topic was looked at.
     *
     * @param tolerant whether some topics may be left that the log did not show
     */
    boolean isReady(boolean tolerant) {
        if (!tolerant && isPatient && unknown.keySet().stream().anyMatch(DerivedTable::is)) {
            return false;
        }
        // No table waits any longer for the topic of a derived one.
        long lacking = unknown.keySet().stream()
                .filter(table -> !DerivedTable.is(table))
                .count();
        long tables = keeper.specs().stream()
                .filter(spec -> !DerivedTable.is(spec.name()))
                .count();
        boolean someKnown = lacking < Math.max(1, tables);
        return unsure.stream().allMatch(unknown::containsKey) && (lacking == 0 || (tolerant && someKnown));
    }

    /**
     * Gives up topics of derived tables that the log did not show: they may hold changes that the fact tables have
     * lost, so they are made again.
     *
     * @return how many
     */
    int giveUpUnseen() {
        int given = 0;
        for (TableDefinition spec : keeper.specs()) {
            String table = spec.name();
            if (DerivedTable.is(table)
                    && unknown.containsKey(table)
                    && keeper.known(table).isPresent()) {
                LOGGER.warn("Topic {} could not be read in time, and is recreated", ChangeTopic.nameFor(table));
                pages.hold(table, new TableHold(TableHold.Kind.WAITING, "its topic could not be read in time"));
                keeper.lacks(spec, TopicReconciler.NOT_MADE);
                given++;
            }
        }
        return given;
    }

    /** Why nothing is known of a topic; empty when something is known of each. */
    Optional<String> obstacle() {
        return unknown.values().stream().findFirst();
    }

    /**
     * Takes an answer, or asks what is due.
     *
     * @return whether there was something to do
     */
    boolean step(Instant now) throws PublishException, InterruptedException {
        began = began == null ? now : began;
        isPatient = now.isBefore(began.plus(patience));
        keeper.specs().stream()
                .filter(spec -> !DerivedTable.is(spec.name()) && !isInCatalog.test(spec.name()))
                .forEach(this::leave);
        isBehind |= derived.follow();
        if (isBehind) {
            follow(now);
            isBehind = false;
        }
        TopicInspector.Question asked = question;
        if (asked == null) {
            return ask(now);
        }
        if (!asked.answers().isDone()) {
            return false;
        }
        question = null;
        Map<String, TopicInspection> answers = asked.answers().join();
        for (Task task : asked.tasks()) {
            TopicInspection look = answers.get(task.spec().name());
            Plan plan = plans.get(task.spec().name());
            // Where a derived table has come or gone since, the answer is about what is no longer wanted.
            if (look != null && plan != null && plan.task().equals(task)) {
                act(task, look, now);
            }
        }
        strays.releaseReader();
        return true;
    }

    private void follow(Instant now) throws PublishException {
        derived.correct(keeper);
        List<TableDefinition> present = keeper.specs();
        for (TableDefinition spec : derived.specs()) {
            if (present.stream().noneMatch(one -> one.name().equals(spec.name()))) {
                strays.join(spec);
                pages.hold(spec.name(), new TableHold(TableHold.Kind.WAITING, "its topic is looked at"));
                plan(new Task.Look(spec), now);
                keeper.join(spec);
            }
        }
        present.stream().filter(spec -> derived.isGone(spec.name())).forEach(spec -> drop(spec, now));
    }

    private void drop(TableDefinition spec, Instant now) {
        letGo(spec, "its topic is deleted");
        held.forget(spec.name());
        strays.leave(spec.name());
        plan(new Task.Drop(spec), now);
    }

    private void dropped(TableDefinition spec, TopicInspection look, Instant now) {
        if (look instanceof TopicInspection.Unknown) {
            plan(new Task.Drop(spec), now.plus(REFUSED_INTERVAL));
            return;
        }
        if (!(look instanceof TopicInspection.Absent)) {
            LOGGER.warn(
                    "Topic {} is of no more use, and this writer may not delete it. Delete it",
                    ChangeTopic.nameFor(spec.name()));
        }
        keeper.forget(spec);
        plans.remove(spec.name());
    }

    private void leave(TableDefinition spec) {
        letGo(spec, "it has left the catalog");
        held.leave(spec.name());
    }

    private void letGo(TableDefinition spec, String reason) {
        pages.hold(spec.name(), new TableHold(TableHold.Kind.WAITING, reason));
        keeper.leave(spec);
        plans.remove(spec.name());
        unsure.remove(spec.name());
        unknown.remove(spec.name());
    }

    private boolean ask(Instant now) {
        Map<String, Instant> soon = held.takeToLookAt();
        List<Task> due = new ArrayList<>();
        for (TableDefinition spec : keeper.specs()) {
            if (soon.containsKey(spec.name())) {
                plan(new Task.Look(spec), soon.get(spec.name()));
            }
        }
        plans.forEach((table, plan) -> {
            if (!now.isBefore(plan.due()) && held.isQuiet(table)) {
                due.add(plan.task());
                before.put(table, new Asked(remembered(table), held.times(table)));
            }
        });
        if (!due.isEmpty()) {
            question = looks.ask(due);
        }
        return !due.isEmpty();
    }

    /** While a topic is being published again it is expected to lack what is not there yet. */
    private Optional<TopicRecord> remembered(String table) {
        Optional<TopicRecord> known = pages.remembered(table);
        return isBeingFilled(table) ? known.map(TopicRecord::asWhole) : known;
    }

    private boolean isStopped(String table) {
        return held.isHeld(table) && !isBeingFilled(table);
    }

    private boolean isBeingFilled(String table) {
        return held.kind(table)
                .map(kind -> kind == TableHold.Kind.REPUBLISHING)
                .orElseGet(() -> republisher.isFinishing(table));
    }

    private void act(Task task, TopicInspection look, Instant now) throws PublishException, InterruptedException {
        TableDefinition spec = task.spec();
        String table = spec.name();
        if (task instanceof Task.Drop) {
            dropped(spec, look, now);
            return;
        }
        Asked asked = before.getOrDefault(table, new Asked(Optional.empty(), 0));
        if (asked.times() != held.times(table) || isLeftOutSince(asked, table)) {
            // What was found may be from before the table was held, or from before it lacked anything.
            plan(new Task.Look(spec), now);
            return;
        }
        boolean inUse = !unsure.contains(table) && !isStopped(table);
        if (inUse && look instanceof TopicInspection.Unknown) {
            // The results of messages under way will show the state of the topic; a missing answer does not.
            plan(new Task.Look(spec), now.plus(CHECK_INTERVAL));
            return;
        }
        unknown.remove(table);
        TopicReconciler.Verdict verdict = judge(task, look, asked);
        if (verdict instanceof TopicReconciler.Verdict.Held no) {
            // A topic that may not be made is absent, and hides nothing.
            boolean unseen = look instanceof TopicInspection.Unknown
                    || (look instanceof TopicInspection.Forbidden && task instanceof Task.Look);
            hold(spec, no.hold(), unseen, now);
        } else if (verdict instanceof TopicReconciler.Verdict.ToDo toDo) {
            if (!inUse || toDo.task() instanceof Task.Make) {
                pages.hold(table, new TableHold(TableHold.Kind.WAITING, toDo.reason()));
            }
            plan(toDo.task(), now);
        } else if (verdict instanceof TopicReconciler.Verdict.Usable usable
                && look instanceof TopicInspection.Found found) {
            use(spec, usable, found.status(), inUse, now);
        }
    }

    /** A table whose topic cannot be read waits alone, unless it is a fact table whose topic was not judged yet. */
    private TopicReconciler.Verdict judge(Task task, TopicInspection look, Asked asked)
            throws PublishException, InterruptedException {
        String table = task.spec().name();
        try {
            return keeper.judge(task, look, asked.known(), unsure.contains(table), isStopped(table));
        } catch (PublishException e) {
            if (!DerivedTable.is(table) && unsure.contains(table)) {
                throw e;
            }
            return new TopicReconciler.Verdict.Held(
                    new TableHold(TableHold.Kind.WAITING, String.valueOf(e.getMessage())));
        }
    }

    /** Whether changes of a table were left out since a look was asked for, which is not in what it is judged by. */
    private boolean isLeftOutSince(Asked asked, String table) {
        return asked.known().filter(TopicRecord::whole).isPresent()
                && !isBeingFilled(table)
                && remembered(table).filter(topic -> !topic.whole()).isPresent();
    }

    private void hold(TableDefinition spec, TableHold hold, boolean unseen, Instant now) {
        pages.hold(spec.name(), hold);
        boolean refused = hold.kind() == TableHold.Kind.REFUSED;
        if (unseen && unsure.contains(spec.name())) {
            unknown.put(spec.name(), hold.reason());
        } else {
            unsure.remove(spec.name());
        }
        plan(new Task.Look(spec), now.plus(refused ? REFUSED_INTERVAL : WAITING_INTERVAL));
    }

    private void use(
            TableDefinition spec,
            TopicReconciler.Verdict.Usable usable,
            TopicStatus status,
            boolean inUse,
            Instant now) {
        String table = spec.name();
        plan(new Task.Look(spec), now.plus(CHECK_INTERVAL));
        if (inUse && usable.lacks()) {
            // What is under way first: only then is it known where the topic ends. By then it may have taken the place
            // of what was
            // lost.
            keeper.leavesOut(table);
            pages.hold(table, new TableHold(TableHold.Kind.WAITING, "its topic has lost records"));
            plan(new Task.Look(spec), now);
        } else if (!inUse) {
            if (usable.lacks()) {
                strays.addBeforeFilling(usable.strays());
            } else {
                strays.add(undone.contains(table) ? usable.strays() : clipped(usable.strays()));
            }
            undone.remove(table);
            ends.found(spec, status.endOffsets());
            unsure.remove(table);
            if (usable.lacks()) {
                keeper.lacks(spec, status.id());
                pages.hold(table, new TableHold(TableHold.Kind.REPUBLISHING, "its topic lacks records"));
                republisher.add(spec);
            } else {
                held.release(table);
            }
        }
    }

    private List<RecordRange> clipped(List<RecordRange> found) {
        return found.stream()
                .map(stray -> stray.goingOnFrom(
                        Math.max(stray.from(), ends.end(stray.shard()).orElse(0L))))
                .filter(stray -> !stray.isEmpty())
                .toList();
    }

    private void plan(Task task, Instant due) {
        plans.put(task.spec().name(), new Plan(task, due));
    }
}
