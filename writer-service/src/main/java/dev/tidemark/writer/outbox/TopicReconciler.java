package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.EventPublisher.Shard;
import dev.tidemark.writer.outbox.TopicInspector.Task;

/** Decides from looks at topics what has to be done with each of them, and keeps the ledger. For the relay alone. */
final class TopicReconciler {
    /** Stands for the identity of a topic that is not known to have been made. */
    static final String NOT_MADE = "";

    private static final Logger LOGGER = LoggerFactory.getLogger(TopicReconciler.class);

    /**
     * Long enough for a consumer to miss its partitions, so that it takes none of the new ones for those that it knew.
     */
    private static final Duration NOTICED = Duration.ofSeconds(2);

    /** A topic is deleted only when looks so far apart agree that its beginning is gone. */
    static final Duration SURE_AFTER = Duration.ofSeconds(15);

    private List<TableDefinition> specs;
    private final TopicLedger ledger;
    private final TopicTailReader tails;
    private final Supplier<RowVersion> frontier;
    private final LongSupplier published;
    private final Clock clock;
    private final Map<String, Replacement> replacements = new HashMap<>();
    private final Map<String, Suspicion> suspicions = new HashMap<>();
    private final Set<String> undeletable = new HashSet<>();
    private final Map<TableDefinition, TopicStatus> found = new LinkedHashMap<>();

    /**
     * The topic that was known is gone.
     *
     * @param id of the topic in its place; empty where there is none
     */
    private record Replacement(String id, Instant since) {
        /** The same after another look. One topic in the place of another must be noticed, too. */
        Replacement seen(String found, Instant now) {
            return found.equals(id) ? this : new Replacement(found, id.isEmpty() ? since : now);
        }
    }

    /** The beginning of a topic was found to be gone. */
    private record Suspicion(String id, Instant since) {}

    /** What a look at a topic means. */
    sealed interface Verdict {
        /**
         * Changes can be published to the topic.
         *
         * @param lacks whether what it lacks has to be published first
         * @param strays where it may hold records that were not acknowledged in their order
         */
        record Usable(boolean lacks, List<RecordRange> strays) implements Verdict {}

        /** Nothing can be published to it for now. */
        record Held(TableHold hold) implements Verdict {}

        /** Something has to be done first. */
        record ToDo(Task task, String reason) implements Verdict {}
    }

    /**
     * A keeper.
     *
     * @param frontier gives the newest version that was committed
     * @param published up to which sequence changes have been published
     */
    TopicReconciler(
            List<TableDefinition> specs,
            TopicLedger ledger,
            TopicTailReader tails,
            Supplier<RowVersion> frontier,
            LongSupplier published,
            Clock clock) {
        this.specs = List.copyOf(specs);
        this.ledger = ledger;
        this.tails = tails;
        this.frontier = frontier;
        this.published = published;
        this.clock = clock;
    }

    List<TableDefinition> specs() {
        return specs;
    }

    /** A derived table has come into force, or a table with another number of partitions. */
    void join(TableDefinition spec) {
        specs = Stream.concat(specs.stream(), Stream.of(spec)).toList();
    }

    /** Derived tables that are no more and whose topics are remembered; of such a table only the name is known. */
    List<TableDefinition> abandoned() {
        return ledger.tables().stream()
                .flatMap(name -> DerivedTable.of(name).stream())
                .filter(home -> specs.stream().noneMatch(spec -> spec.name().equals(home.name())))
                .map(home -> new TableDefinition(home.name(), List.of(FieldPath.parse(home.table())), 1, List.of()))
                .toList();
    }

    /** The topic of a derived table is gone for good. */
    void forget(TableDefinition spec) {
        ledger.forget(spec.name());
    }

    /** A table has left the catalog: its topic is left alone from now on. */
    void leave(TableDefinition spec) {
        specs = specs.stream().filter(other -> !other.equals(spec)).toList();
        found.remove(spec);
    }

    /** What is remembered of a table's topic. */
    Optional<TopicRecord> known(String table) {
        return ledger.find(table).filter(topic -> !topic.id().equals(NOT_MADE));
    }

    /** Notes durably that the topic of a derived table may be there from now on, so that it does not outlive that. */
    private void makes(TableDefinition spec) {
        if (DerivedTable.is(spec.name()) && ledger.find(spec.name()).isEmpty()) {
            ledger.save(spec.name(), TopicRecord.lacking(NOT_MADE, TopicRecord.NEVER_WHOLE), true);
        }
    }

    /** Whether the topic of a derived table was never whole, so that no index can answer from it yet. */
    boolean isFirstFill(String table) {
        return ledger.find(table)
                .filter(topic -> topic.leftOutSince() == TopicRecord.NEVER_WHOLE)
                .isPresent();
    }

    /**
     * Judges a look.
     *
     * @param before what was remembered of the topic when the look was asked for
     * @param unsure whether records may have been appended since then that were not acknowledged
     * @param held whether the table was held, so that it is not known where the last records sent to it came to stand
     * @throws PublishException when the topic's records cannot be read
     */
    Verdict judge(Task task, TopicInspection look, Optional<TopicRecord> before, boolean unsure, boolean held)
            throws PublishException, InterruptedException {
        TableDefinition spec = task.spec();
        if (look instanceof TopicInspection.Unknown unknown) {
            return held(TableHold.Kind.WAITING, unknown.reason());
        }
        if (look instanceof TopicInspection.Forbidden forbidden) {
            return held(TableHold.Kind.REFUSED, forbidden.reason());
        }
        if (!(look instanceof TopicInspection.Found found)) {
            return absent(spec, before);
        }
        this.found.put(spec, found.status());
        boolean mayNotDelete = task instanceof Task.Delete;
        Optional<String> refusal =
                TopicCheck.refusal(spec, found.status(), before).or(found::objection);
        if (refusal.isPresent()) {
            return unusable(spec, found, before, mayNotDelete, refusal.get());
        }
        if (!mayNotDelete && isCurtailed(spec, found.status())) {
            String topic = ChangeTopic.nameFor(spec.name());
            return new Verdict.ToDo(
                    new Task.Delete(spec, found), "topic " + topic + " has lost its oldest records, and is recreated");
        }
        if (mayNotDelete) {
            sayThatItMayNotBeDeleted(spec);
        }
        return usable(spec, found.status(), before, unsure, held);
    }

    private Verdict absent(TableDefinition spec, Optional<TopicRecord> before) {
        found.remove(spec);
        if (before.isPresent() && isNew(spec, "")) {
            return held(
                    TableHold.Kind.WAITING,
                    "topic " + ChangeTopic.nameFor(spec.name()) + " is gone; it is recreated after "
                            + NOTICED.toSeconds() + " s, so that workers notice");
        }
        makes(spec);
        return new Verdict.ToDo(new Task.Make(spec), "topic " + ChangeTopic.nameFor(spec.name()) + " is being made");
    }

    /** Whether the topic that was known is gone for so short a time that workers may not have noticed. */
    private boolean isNew(TableDefinition spec, String id) {
        Instant now = clock.instant();
        Replacement before = replacements.getOrDefault(spec.name(), new Replacement(id, now));
        Replacement seen = before.seen(id, now);
        replacements.put(spec.name(), seen);
        return now.isBefore(seen.since().plus(NOTICED));
    }

    /**
     * A topic in the place of ours that holds at most what this writer sent was made by the broker, which makes topics
     * that clients ask for by its own presets.
     */
    private Verdict unusable(
            TableDefinition spec,
            TopicInspection.Found found,
            Optional<TopicRecord> before,
            boolean mayNotDelete,
            String refusal)
            throws PublishException, InterruptedException {
        String topic = ChangeTopic.nameFor(spec.name());
        boolean replaced =
                before.isPresent() && !before.get().id().equals(found.status().id());
        if (replaced
                && !mayNotDelete
                && !holdsAny(
                        spec,
                        found.status(),
                        piece -> isOfAnother(piece) || !piece.unreadable().isEmpty())) {
            return new Verdict.ToDo(
                    new Task.Delete(spec, found),
                    "topic " + topic + " was created by another program, and is recreated");
        }
        // The fact tables are from before its first use. Nothing else has its name where the table's own topic is ours.
        // It may be the only trace of versions that must not be given again.
        boolean forgotten = before.isEmpty()
                && DerivedTable.is(spec.name())
                && ledger.find(DerivedTable.base(spec.name())).isPresent();
        if (forgotten && !mayNotDelete && ledger.unsettled().isPresent()) {
            return held(
                    TableHold.Kind.WAITING,
                    "topic " + topic
                            + " has changes that the fact tables have lost; it is recreated once those are undone");
        }
        if (forgotten && !mayNotDelete) {
            return new Verdict.ToDo(
                    new Task.Delete(spec, found),
                    "topic " + topic + " has changes that the fact tables have lost, and is recreated");
        }
        String hint = replaced
                ? "; it is not the topic that this writer made: delete it, and set auto.create.topics.enable=false"
                : "";
        return held(TableHold.Kind.REFUSED, TopicRefusedException.text(topic, refusal + hint));
    }

    /**
     * Whether a topic has lost its oldest records: workers that had not read them, and indexes built from now on, would
     * never get the rows of which nothing was written since. One look alone is not believed.
     */
    private boolean isCurtailed(TableDefinition spec, TopicStatus status) {
        if (!status.hasLostItsOldest()) {
            suspicions.remove(spec.name());
            undeletable.remove(spec.name());
            return false;
        }
        Instant now = clock.instant();
        Suspicion suspicion = suspicions.get(spec.name());
        if (suspicion == null || !suspicion.id().equals(status.id())) {
            suspicions.put(spec.name(), new Suspicion(status.id(), now));
            return false;
        }
        return !now.isBefore(suspicion.since().plus(SURE_AFTER));
    }

    private void sayThatItMayNotBeDeleted(TableDefinition spec) {
        if (undeletable.add(spec.name())) {
            LOGGER.warn(
                    "Topic {} has lost its oldest records, and this writer may not delete it. Delete it, or allow the writer"
                            + " to: it is recreated then, and every row published again",
                    ChangeTopic.nameFor(spec.name()));
        }
    }

    private Verdict usable(
            TableDefinition spec, TopicStatus status, Optional<TopicRecord> before, boolean unsure, boolean held)
            throws PublishException, InterruptedException {
        boolean replaced = before.isPresent() && !before.get().id().equals(status.id());
        if (replaced && isNew(spec, status.id())) {
            return held(
                    TableHold.Kind.WAITING,
                    "topic " + ChangeTopic.nameFor(spec.name()) + " was recreated; it is filled after "
                            + NOTICED.toSeconds() + " s, so that workers notice");
        }
        replacements.remove(spec.name());
        if (replaced && holdsAny(spec, status, this::isOfAnother)) {
            return held(
                    TableHold.Kind.REFUSED,
                    TopicRefusedException.text(
                            ChangeTopic.nameFor(spec.name()),
                            "it is not the topic that this writer made, and holds newer versions than it ever gave;"
                                    + " another writer may use it"));
        }
        boolean lacks = TopicCheck.lacks(status, before) || ((unsure || held) && isOverwritten(spec.name(), before));
        if (lacks && before.isPresent()) {
            LOGGER.warn("The topic of table {} has lost records; publishing again what it lacks", spec.name());
        }
        boolean maybeStrays = before.isPresent() && (replaced || unsure);
        return new Verdict.Usable(lacks, maybeStrays ? behind(spec, before, status) : List.of());
    }

    /** What is in each partition behind what is known of this topic, without empty ranges. */
    private static List<RecordRange> behind(TableDefinition spec, Optional<TopicRecord> known, TopicStatus status) {
        List<Long> ends = status.endOffsets();
        Map<Integer, Long> from = known.filter(topic -> topic.id().equals(status.id()))
                .map(TopicRecord::ends)
                .orElse(Map.of());
        return IntStream.range(0, Math.min(ends.size(), spec.partitions()))
                .mapToObj(partition -> new RecordRange(
                        new Shard(spec.name(), partition), from.getOrDefault(partition, 0L), ends.get(partition)))
                .filter(range -> !range.isEmpty())
                .toList();
    }

    private boolean holdsAny(TableDefinition spec, TopicStatus status, Predicate<TopicTailReader.Piece> wanted)
            throws PublishException, InterruptedException {
        for (int partition = 0; partition < status.endOffsets().size(); partition++) {
            long end = status.endOffsets().get(partition);
            for (long next = status.startOffsets().get(partition); next < end; ) {
                TopicTailReader.Piece piece = tails.read(new Shard(spec.name(), partition), next, end);
                if (wanted.test(piece)) {
                    return true;
                }
                next = piece.next();
            }
        }
        return false;
    }

    private boolean isOfAnother(TopicTailReader.Piece piece) {
        RowVersion newest = frontier.get();
        return piece.messages().stream().anyMatch(message -> version(message).isAfter(newest));
    }

    private static RowVersion version(ChangeMessage message) {
        return message instanceof ChangeEvent event ? event.version() : ((Heartbeat) message).frontier();
    }

    /**
     * Whether another record stands where the last acknowledged change of a partition was. Then the log lost that
     * change, and took records after that which it did not acknowledge, so that ends alone do not show the loss. Where
     * compaction has removed what stood there, the next record shows whether that may be so.
     */
    private boolean isOverwritten(String table, Optional<TopicRecord> known)
            throws PublishException, InterruptedException {
        if (known.isPresent() && specs.stream().anyMatch(spec -> spec.name().equals(table))) {
            for (Map.Entry<Integer, Long> last : known.get().lasts().entrySet()) {
                long offset = known.get().ends().getOrDefault(last.getKey(), 1L) - 1;
                Optional<TopicTailReader.Found> first = tails.first(new Shard(table, last.getKey()), offset);
                if (first.filter(found -> isOverwritten(found, offset, last.getValue()))
                        .isPresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isOverwritten(TopicTailReader.Found found, long offset, long sequence) {
        return found.offset() == offset ? !found.isChange(sequence) : found.mayBeBehindLoss();
    }

    /**
     * The records of a table's partitions, up to where the last look found their ends.
     *
     * @param unknown only those after the last change that was acknowledged and noted; all of a topic in the place of
     *     the known one
     */
    List<RecordRange> stretches(TableDefinition spec, boolean unknown) {
        TopicStatus status = found.get(spec);
        Optional<TopicRecord> noted = unknown ? ledger.find(spec.name()) : Optional.empty();
        return status == null ? List.of() : behind(spec, noted, status);
    }

    /** Notes durably that a topic lacks something. */
    void lacks(TableDefinition spec, String id) {
        makes(spec);
        ledger.save(spec.name(), TopicRecord.lacking(id, ledger.find(spec.name()), published.getAsLong()), true);
    }

    /** Notes durably that changes of a table are left out, unless its topic is known to lack something already. */
    void leavesOut(String table) {
        ledger.find(table)
                .filter(TopicRecord::whole)
                .ifPresent(topic -> ledger.save(table, TopicRecord.lacking(topic.id(), published.getAsLong()), true));
    }

    /** Notes that a topic lacks nothing any more. */
    void complete(TableDefinition spec) {
        ledger.find(spec.name()).ifPresent(topic -> ledger.save(spec.name(), topic.asWhole(), true));
    }

    /**
     * Notes that records came out of order to a topic, which lacks nothing once changes up to a sequence are published.
     */
    void cleanFrom(String table, long sequence) {
        ledger.find(table).ifPresent(topic -> ledger.save(table, topic.cleanFrom(sequence), false));
    }

    /** Notes how far acknowledged changes of one table go. */
    void acknowledged(String table, AppendedOffsets changes) {
        ledger.find(table).ifPresent(topic -> {
            TopicRecord later = topic.with(changes);
            if (!later.equals(topic)) {
                ledger.save(table, later, false);
            }
        });
    }

    /**
     * Whether the topic of a table has lost changes; where it lost heartbeats only, that does no harm.
     *
     * @throws PublishException when the topic's records cannot be read
     */
    boolean hasLostChanges(String table, Map<Shard, AcknowledgedEnds.Loss> losses)
            throws PublishException, InterruptedException {
        Optional<TopicRecord> known = ledger.find(table);
        for (Map.Entry<Shard, AcknowledgedEnds.Loss> loss : losses.entrySet()) {
            long noted = known.map(topic -> topic.ends().get(loss.getKey().partition()))
                    .orElse(0L);
            if (loss.getValue().ofChanges() || loss.getValue().first() < noted) {
                return true;
            }
        }
        // Late records may have come to where changes were.
        return !losses.isEmpty() && isOverwritten(table, known);
    }

    private static Verdict held(TableHold.Kind kind, String reason) {
        return new Verdict.Held(new TableHold(kind, reason));
    }
}
