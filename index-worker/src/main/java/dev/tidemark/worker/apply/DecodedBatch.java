package dev.tidemark.worker.apply;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.SourceMark;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;

/**
 * The decoded records of a batch: records of rows by row, in the order of the log, and the progress that all records
 * report.
 */
final class DecodedBatch {
    private final RowPlanner planner;
    private final PublishedProgress gate;
    private final Map<KeyBytes, List<DecodedRecord>> byRow = new LinkedHashMap<>();
    private final List<ChangeTiming> firstSeen = new ArrayList<>();

    /** While the shard restores: through which version it was complete when it was stored. */
    private final Optional<RowVersion> stored;

    private final Instant latest;
    private final VersionCeilings ceilings;
    private final Continuity continuity;
    private Progress heard;
    private RowVersion highest = RowVersion.NONE;
    private final List<RowVersion> frontiers = new ArrayList<>();

    /** The rows that have a record without a version. */
    private final Set<KeyBytes> withoutVersion = new HashSet<>();

    private int size;
    private int heartbeatsRefused;
    private boolean ahead;
    private boolean proven;
    private boolean ofSource;
    private boolean wentBack;
    private Optional<Heartbeat> mark = Optional.empty();
    private Optional<Duration> sourceAge = Optional.empty();
    private Refusals refusals = Refusals.NONE;

    private DecodedBatch(
            RowPlanner planner,
            PublishedProgress gate,
            Instant latest,
            VersionCeilings ceilings,
            Continuity continuity) {
        this.ceilings = ceilings;
        this.continuity = continuity;
        this.planner = planner;
        this.latest = latest;
        this.gate = gate;
        this.stored = gate.restoring() ? Optional.of(gate.published().through()) : Optional.empty();
        this.heard = gate.heard();
        this.ofSource = gate.ofSource();
    }

    /**
     * Decodes the beginning of a batch: at least one record, and all of them with two exceptions.
     *
     * <ul>
     *   <li>It ends with a heartbeat that has digests, because the digest of a shard is known only at the end of a
     *       batch.
     *   <li>It ends before a record that follows a record of its row that has no version. Such a pair must not be
     *       applied at once. A large batch is stored in steps, and may be applied again after some of them: the first
     *       record would then put the row into quarantine, and the second, which is applied already, would not end
     *       that.
     * </ul>
     *
     * @param planner the planner that will plan the rows
     * @param gate the progress after the records before the batch
     * @param latest no record that the writer wrote has a later time
     * @param ceilings the bounds on versions of the writer's records that are read again
     * @param continuity has checked the records before the batch
     */
    static DecodedBatch read(
            ChangeCodec codec,
            RowPlanner planner,
            ChangeBatch batch,
            PublishedProgress gate,
            Instant latest,
            VersionCeilings ceilings,
            Continuity continuity) {
        DecodedBatch decoded = new DecodedBatch(planner, gate, latest, ceilings, continuity);
        for (LogRecord logged : batch.records()) {
            if (decoded.mark.isPresent() || decoded.isForAnother(logged)) {
                return decoded;
            }
            decoded.add(logged, codec);
            decoded.size++;
        }
        return decoded;
    }

    /** How many records of the batch it has. */
    int size() {
        return size;
    }

    Map<KeyBytes, List<DecodedRecord>> byRow() {
        return byRow;
    }

    Progress heard() {
        return heard;
    }

    /** The changes that were read in commit order and for the first time. */
    List<ChangeTiming> firstSeen() {
        return firstSeen;
    }

    /** The number of refused heartbeats. They concern no row, so no row is quarantined; a valid heartbeat follows. */
    int heartbeatsRefused() {
        return heartbeatsRefused;
    }

    /** What was refused: those heartbeats, and times of changes. */
    Refusals refusals() {
        return refusals;
    }

    /** The highest version that was accepted. */
    RowVersion highest() {
        return highest;
    }

    /** The row versions of the heartbeats up to which every change is published, in the order of the heartbeats. */
    List<RowVersion> frontiers() {
        return frontiers;
    }

    /** Whether a record has a time that the writer's clock is not known to have reached. */
    boolean isAhead() {
        return ahead;
    }

    /**
     * The heartbeat with digests that the records end with, where it proved that everything before it is there, and no
     * heartbeat was refused. A shard that restores has none: it may hold a state that the table never had at one
     * moment.
     */
    Optional<Heartbeat> mark() {
        return proven && heartbeatsRefused == 0 ? mark : Optional.empty();
    }

    /** How much older than the last heartbeat the watermark of its source was; empty where it said none. */
    Optional<Duration> sourceAge() {
        return sourceAge;
    }

    /**
     * The progress that readers see once the batch is applied.
     *
     * @param nextOffset the offset after the batch
     */
    PublishedProgress published(long nextOffset) {
        PublishedProgress before = wentBack ? gate.withoutSource() : gate;
        return before.moved(heard, nextOffset, ofSource);
    }

    private boolean isForAnother(LogRecord logged) {
        return withoutVersion.contains(logged.record().key())
                && DecodedRecord.Bad.version(logged.record()).isPresent();
    }

    private void add(LogRecord logged, ChangeCodec codec) {
        proven = continuity.isProof(logged, latest);
        try {
            add(logged, codec.decode(logged.record(), planner.fields()));
        } catch (MalformedChangeException e) {
            if (logged.record().key().equals(ChangeCodec.HEARTBEAT_KEY)) {
                refuse(logged, "cannot be read: " + e.getMessage());
            } else {
                add(DecodedRecord.Bad.of(logged, e.getMessage()));
            }
        }
    }

    private void add(DecodedRecord.Bad bad) {
        LogRecord logged = bad.source();
        Optional<RowVersion> claimed = bad.version();
        VersionCeiling ceiling = ceilings.of(logged);
        if (claimed.isPresent() && ceiling.isBelow(logged, claimed.get())) {
            row(logged).add(DecodedRecord.Bad.above(logged, claimed.get(), ceiling));
        } else if (!ceiling.isAbout(logged)) {
            // What is read again was put away when it was read first, and its row may be well since.
            claimed.ifPresentOrElse(
                    this::reach, () -> withoutVersion.add(logged.record().key()));
            row(logged).add(bad);
        }
    }

    private void add(LogRecord logged, ChangeMessage message) {
        if (message instanceof Heartbeat heartbeat) {
            hear(heartbeat, logged);
        } else if (message instanceof ChangeEvent event) {
            Optional<String> misfit =
                    event instanceof ChangeEvent.Upserted upserted ? planner.misfit(upserted) : Optional.empty();
            if (misfit.isPresent()) {
                add(DecodedRecord.Bad.forged(logged, misfit.get()));
                return;
            }
            VersionCeiling ceiling = ceilings.of(logged);
            if (ceiling.isBelow(logged, event.version())) {
                row(logged).add(DecodedRecord.Bad.above(logged, event.version(), ceiling));
                return;
            }
            reach(event.version());
            if (isFollowed(logged)) {
                forgetSourceBefore(event.version());
            }
            row(logged).add(new DecodedRecord.Good(logged, event, stored.orElse(heard.through())));
            if (event.inCommitOrder()) {
                hear(event, logged);
            }
        } else {
            throw new AssertionError("unknown kind of message: " + message);
        }
    }

    private void hear(Heartbeat heartbeat, LogRecord logged) {
        if (stored.isEmpty() && !heartbeat.digests().isEmpty()) {
            mark = Optional.of(heartbeat);
        }
        VersionCeiling ceiling = ceilings.of(logged);
        if (heartbeat.completeUpTo().isAfter(latest)) {
            refuse(logged, "bears the time " + heartbeat.completeUpTo() + ahead());
        } else if (ceiling.isBelow(logged, heartbeat.frontier())) {
            refuse(logged, "cannot be true: " + ceiling.reason(heartbeat.frontier()));
        } else {
            reach(heartbeat.frontier());
            frontiers.add(heartbeat.frontier());
            if (proven) {
                ofSource = heartbeat.source().isPresent();
                sourceAge = heartbeat
                        .source()
                        .flatMap(SourceMark::watermark)
                        .map(watermark -> Duration.between(watermark, heartbeat.completeUpTo()));
                heard = before(heartbeat.frontier()).after(heartbeat);
            }
        }
    }

    private void reach(RowVersion version) {
        highest = version.isAfter(highest) ? version : highest;
    }

    private void hear(ChangeEvent event, LogRecord logged) {
        boolean late = event.committedAt().isAfter(latest);
        if (late) {
            // Only the time is refused: the change of the row is judged by its version, as always.
            refusals = refusals.plus(
                    "the change at offset " + logged.offset() + " bears the time " + event.committedAt() + ahead());
        } else if (!heard.covers(event.version())) {
            note(event.committedAt(), logged.record().headers().get(PublishTimings.HEADER));
        }
        Progress before = before(event.version());
        if (!proven || (!before.isWhole() && planner.isDerived())) {
            // A derived table is whole once the writer has stated its rows, which the first heartbeat after them says.
            heard = before;
        } else {
            heard = isFollowed(logged) || late ? before.after(event.version()) : before.after(event);
        }
    }

    /**
     * With another epoch the fact table has gone back in time, and the source with it. Its watermark is not known any
     * more, even if the record does not prove that all changes before it are there.
     */
    private void forgetSourceBefore(RowVersion version) {
        long epoch =
                Math.max(heard.through().epoch(), gate.published().through().epoch());
        if (version.epoch() > epoch) {
            heard = heard.withoutSource();
            wentBack = true;
        }
    }

    /** Whether the row comes from a source, which may have committed more before than what is here. */
    private static boolean isFollowed(LogRecord logged) {
        return logged.record().headers().containsKey(ChangeCodec.ROW_SOURCE);
    }

    private void refuse(LogRecord heartbeat, String why) {
        heartbeatsRefused++;
        refusals = refusals.plus("the heartbeat at offset " + heartbeat.offset() + " " + why);
    }

    private String ahead() {
        ahead = true;
        return ", and the writer's clock has not come further than " + latest;
    }

    private void note(Instant committedAt, @Nullable String handover) {
        int last = firstSeen.size() - 1;
        if (last >= 0 && firstSeen.get(last).isLike(committedAt, handover)) {
            firstSeen.set(last, firstSeen.get(last).andOneMore());
        } else {
            firstSeen.add(new ChangeTiming(committedAt, handover, 1));
        }
    }

    /**
     * The progress before a record of the given version. Where the relay has begun again with older changes, compaction
     * may have removed newer ones that stood before them. A shard that restores has not seen those, so its progress
     * begins again too.
     */
    private Progress before(RowVersion version) {
        return stored.isPresent() && heard.through().isAfter(version) ? Progress.UNKNOWN : heard;
    }

    private List<DecodedRecord> row(LogRecord logged) {
        return byRow.computeIfAbsent(logged.record().key(), key -> new ArrayList<>(1));
    }
}
