package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.failpoint.WriterFailpoint;

/**
 * What was sent to the log and is not settled yet, in the order in which it was sent. A page is settled when, for each
 * table in it, the results of its messages are known and stray records beside them in the topic have been handled. For
 * the relay alone.
 */
final class InFlightPages {
    private final EventPublisher publisher;
    private final TopicReconciler keeper;
    private final LongSupplier sessions;
    private final AcknowledgedEnds ends;
    private final StrayRecords strays;
    private final Predicate<String> isWhole;
    private final HeldTables held;
    private final SourceWatermarks sources;
    private final Duration patience;
    private final Clock clock;
    private final SlowTopics slow;
    private final Deque<Page> underWay = new ArrayDeque<>();
    private int changesUnderWay;

    /** Number of the producer; 0 before one has sent something. */
    private long session;

    /**
     * Nothing was sent yet.
     *
     * @param sessions gives a number for a new producer
     * @param isWhole whether a record of a table proves that all before it in commit order is in the topic
     * @param patience how long the topic of a derived table may keep everything behind it from being settled
     */
    InFlightPages(
            EventPublisher publisher,
            TopicReconciler keeper,
            LongSupplier sessions,
            AcknowledgedEnds ends,
            StrayRecords strays,
            HeldTables held,
            SourceWatermarks sources,
            Predicate<String> isWhole,
            Duration patience,
            Clock clock) {
        this.patience = patience;
        this.slow = new SlowTopics(patience);
        this.clock = clock;
        this.sources = sources;
        this.isWhole = isWhole;
        this.publisher = publisher;
        this.keeper = keeper;
        this.sessions = sessions;
        this.ends = ends;
        this.strays = strays;
        this.held = held;
    }

    /** Messages that were sent at once. */
    static final class Page {
        private final List<CommittedChange> changes;
        private final MemoryBudget.Reservation room;
        private final Map<String, EventPublisher.Sending> sendings = new LinkedHashMap<>();
        private final Map<String, AppendedOffsets> appended = new LinkedHashMap<>();
        private final Set<String> tables = new HashSet<>();
        private final Set<String> leftOut;
        private final Instant sentAt;
        private boolean seen;
        private boolean settled;

        private Page(
                List<CommittedChange> changes, Set<String> leftOut, MemoryBudget.Reservation room, Instant sentAt) {
            this.changes = changes;
            this.leftOut = new HashSet<>(leftOut);
            this.sentAt = sentAt;
            this.room = room;
        }

        /**
         * The changes that the page stands for, those that were left out of it included; none where it is something
         * else.
         */
        List<CommittedChange> changes() {
            return changes;
        }

        /** The tables of which changes were left out and are not known to be in the log. */
        Set<String> leftOut() {
            return Set.copyOf(leftOut);
        }

        /** Whether the results of the messages are known and handled. */
        boolean isSettled() {
            return settled;
        }

        /** The tables that messages were sent to. */
        Set<String> tables() {
            return Set.copyOf(tables);
        }

        /** Whether the log acknowledged what was sent to a table; to be asked of a settled page. */
        boolean isAcknowledged(String table) {
            return appended.containsKey(table);
        }

        private boolean isDone() {
            return sendings.values().stream().allMatch(EventPublisher.Sending::isDone);
        }
    }

    /** How many changes are under way. */
    int changes() {
        return changesUnderWay;
    }

    /**
     * Sends messages, behind all that was sent before.
     *
     * @param changes which the page stands for, in sequence order
     * @param leftOut of which tables there are changes without messages, to be published another way
     * @param room memory of the messages, given back once the page is settled
     * @param proves whether the messages prove that those before them are in their topics
     */
    Page send(
            List<CommittedChange> changes,
            List<Publication> messages,
            Set<String> leftOut,
            MemoryBudget.Reservation room,
            boolean proves)
            throws PublishException, InterruptedException {
        Page page = new Page(changes, leftOut, room, clock.instant());
        underWay.addLast(page);
        changesUnderWay += page.changes.size();
        Map<String, List<Publication>> byTable = new LinkedHashMap<>();
        for (Publication message : messages) {
            sources.marked(message)
                    .ifPresent(marked -> byTable.computeIfAbsent(marked.table(), table -> new ArrayList<>())
                            .add(marked));
        }
        for (Map.Entry<String, List<Publication>> one : byTable.entrySet()) {
            page.tables.add(one.getKey());
            page.sendings.put(one.getKey(), publisher.begin(expecting(one.getKey(), one.getValue(), proves)));
            WriterFailpoint.RELAY_SENT.hit();
        }
        return page;
    }

    /**
     * The messages with the offsets that they will have; where a topic is not whole, they prove nothing of those
     * before.
     */
    private List<Publication> expecting(String table, List<Publication> messages, boolean proves) {
        session = session == 0 ? sessions.getAsLong() : session;
        List<Publication> expected = ends.expecting(messages, session);
        return proves && isWhole.test(table)
                ? expected
                : expected.stream()
                        .map(message -> message.expected(message.expectation().unknown()))
                        .toList();
    }

    /**
     * What is remembered of a topic, with the acknowledged changes that are not noted yet: their page waits until stray
     * records are handled.
     */
    Optional<TopicRecord> remembered(String table) {
        Optional<AppendedOffsets> appended = underWay.stream()
                .flatMap(page -> Optional.ofNullable(page.appended.get(table)).stream())
                .findFirst();
        Optional<TopicRecord> noted = keeper.known(table);
        return appended.isPresent() ? noted.map(topic -> topic.with(appended.get())) : noted;
    }

    /**
     * Settles what can be settled, and returns it. Pages with changes settle in order, and so do pages with messages to
     * the same table. A page that waits keeps no other back: a topic that is being filled may acknowledge nothing.
     */
    List<Page> settle() throws PublishException, InterruptedException {
        giveUpSick();
        List<Page> settled = new ArrayList<>();
        Set<String> waiting = new HashSet<>();
        boolean changesWait = false;
        for (Iterator<Page> pages = underWay.iterator(); pages.hasNext(); ) {
            Page page = pages.next();
            boolean isNext = (page.changes.isEmpty() || !changesWait)
                    && Collections.disjoint(waiting, page.sendings.keySet())
                    && page.isDone();
            if (!isNext) {
                changesWait |= !page.changes.isEmpty();
                waiting.addAll(page.sendings.keySet());
                continue;
            }
            if (!isSettled(page)) {
                break;
            }
            pages.remove();
            changesUnderWay -= page.changes.size();
            page.room.close();
            page.settled = true;
            settled.add(page);
        }
        if (underWay.isEmpty()) {
            ends.nothingUnderWay();
        }
        return settled;
    }

    /**
     * Leaves the topics of derived tables out that take too long: they are filled again, and nothing else may wait for
     * them. Where the topics of other tables did not acknowledge the same page either, all brokers may be away.
     */
    private void giveUpSick() throws PublishException, InterruptedException {
        Instant latest = clock.instant().minus(patience);
        for (Page page : underWay) {
            if (page.sentAt.isAfter(latest)) {
                return;
            }
            List<String> late = new ArrayList<>();
            boolean othersHave = true;
            for (Map.Entry<String, EventPublisher.Sending> one : page.sendings.entrySet()) {
                if (!DerivedTable.is(one.getKey())) {
                    othersHave &= isAcknowledged(one.getValue());
                } else if (!one.getValue().isDone()) {
                    late.add(one.getKey());
                }
            }
            if (othersHave) {
                late.forEach(table ->
                        giveUp(table, "its topic did not acknowledge records within " + patience.toMillis() + " ms"));
            }
        }
    }

    /** Whether a topic has answered; that one has failed gives up everything under way. */
    private static boolean isAcknowledged(EventPublisher.Sending sending)
            throws PublishException, InterruptedException {
        if (!sending.isDone()) {
            return false;
        }
        try {
            AppendedOffsets unused = sending.appended();
        } catch (TopicFailedException e) {
            return true;
        }
        return true;
    }

    private void giveUp(String table, String reason) {
        hold(table, new TableHold(TableHold.Kind.WAITING, reason));
        held.lookAt(table, slow.restAfter(table, clock.instant()));
    }

    private boolean isSettled(Page page) throws PublishException, InterruptedException {
        if (!page.seen) {
            see(page);
            page.seen = true;
        }
        // Before it is noted how far the topics go: what is noted is not looked at again after a restart.
        if (!strays.isDone()) {
            return false;
        }
        page.appended.forEach(keeper::acknowledged);
        return true;
    }

    private void see(Page page) throws PublishException, InterruptedException {
        for (Map.Entry<String, EventPublisher.Sending> one : List.copyOf(page.sendings.entrySet())) {
            String table = one.getKey();
            try {
                AppendedOffsets appended = one.getValue().appended();
                AcknowledgedEnds.Seen seen = ends.seen(appended);
                page.appended.put(table, appended);
                strays.add(seen.strays());
                if (keeper.hasLostChanges(table, seen.losses())) {
                    keeper.leavesOut(table);
                    hold(
                            table,
                            new TableHold(TableHold.Kind.WAITING, seen.loss().orElseThrow()));
                    held.lookAt(table, Instant.MIN);
                }
            } catch (PublishException e) {
                if (DerivedTable.is(table)) {
                    // Noted durably, so that other topics go on without it once the publisher is reset.
                    giveUp(table, String.valueOf(e.getMessage()));
                }
                throw e;
            } catch (TopicFailedException e) {
                hold(table, new TableHold(TableHold.Kind.REFUSED, String.valueOf(e.getMessage())));
            }
        }
    }

    /** Holds a table: what was sent to it and is not settled counts as left out. */
    void hold(String table, TableHold hold) {
        List<EventPublisher.Sending> givenUp = new ArrayList<>();
        boolean leavesOut = false;
        for (Page page : underWay) {
            EventPublisher.Sending sending = page.sendings.remove(table);
            if (sending != null) {
                givenUp.add(sending);
            }
            page.appended.remove(table);
            boolean lacks = DerivedTable.is(table)
                    ? sending != null && !page.changes.isEmpty()
                    : page.changes.stream().anyMatch(change -> change.table().equals(table));
            if (lacks) {
                page.leftOut.add(table);
                leavesOut = true;
            }
        }
        if (leavesOut) {
            keeper.leavesOut(table);
        }
        ends.giveUp(table);
        held.hold(table, hold, givenUp);
    }

    /** All changes of a table that were left out are in the log. */
    void caughtUp(String table) {
        underWay.forEach(page -> page.leftOut.remove(table));
    }

    /** Closes the producer; another one sends what comes next. */
    void close() {
        publisher.reset();
        session = 0;
    }

    /** Closes the producer, and forgets what is under way. */
    void reset() {
        close();
        underWay.forEach(page -> page.room.close());
        underWay.clear();
        changesUnderWay = 0;
        ends.nothingUnderWay();
    }
}
