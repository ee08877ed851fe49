package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.RowSource;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.SourceMark;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.SourcePosition;

/**
 * How far each source is, and from which commit on that is so. A watermark may be published only behind every change
 * that was committed up to it. The committer adds, the relay and any other thread read.
 */
public final class SourceWatermarks implements Committer.Listener {
    /** Positions of one source that are remembered; the newest replaces the one before it where there are more. */
    private static final int MOST_STEPS = 1_000;

    private final Supplier<Map<String, RowRules>> rules;
    private final Map<String, Deque<Step>> bySource = new HashMap<>();

    /**
     * A position of a source.
     *
     * @param sequence of the last change that was committed with it or before it
     */
    private record Step(long sequence, SourcePosition position) {}

    /**
     * What a store knows of the sources that tables follow now.
     *
     * @param rules the tables of the definitions in force, any time
     */
    public SourceWatermarks(Supplier<Map<String, RowRules>> rules, FactStore store) {
        this.rules = rules;
        for (String name : names()) {
            // The position first: a later commit may cover more.
            Optional<SourcePosition> stored = store.currentPosition(name);
            long sequence = store.currentCommit().version().sequence();
            stored.ifPresent(position -> add(name, new Step(sequence, position)));
        }
    }

    /** The names of the sources that tables follow now. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        rules.get().values().forEach(table -> table.table().source().ifPresent(source -> names.add(source.name())));
        return names;
    }

    @Override
    public synchronized void committed(FactBatch batch, Duration took) {
        long sequence = batch.through().version().sequence();
        batch.sources().forEach((name, position) -> add(name, new Step(sequence, position)));
    }

    private synchronized void add(String name, Step step) {
        Deque<Step> steps = bySource.computeIfAbsent(name, source -> new ArrayDeque<>());
        if (steps.size() == MOST_STEPS) {
            steps.removeLast();
        }
        steps.addLast(step);
    }

    /**
     * The newest watermark of a source.
     *
     * @return empty while none is known, for one of its tables
     */
    public synchronized Optional<Instant> watermark(String source) {
        Deque<Step> steps = bySource.get(source);
        if (steps == null) {
            return Optional.empty();
        }
        SourcePosition newest = steps.getLast().position();
        return rules.get().values().stream()
                        .filter(table -> follows(table, source))
                        .allMatch(table -> of(table, newest).isPresent())
                ? newest.watermark()
                : Optional.empty();
    }

    /**
     * A message as it is published of a table that may follow a source.
     *
     * @return empty for a heartbeat before the changes that the known watermark is about: nothing is said, so that the
     *     watermark before remains
     */
    Optional<Publication> marked(Publication message) {
        RowRules table = rules.get().get(DerivedTable.base(message.table()));
        Optional<RowSource> source =
                table == null ? Optional.empty() : table.table().source();
        if (table == null || source.isEmpty()) {
            return Optional.of(message);
        }
        String name = source.get().name();
        if (message.message() instanceof Heartbeat heartbeat) {
            return mark(table, name, heartbeat.frontier().sequence()).map(mark -> message.with(heartbeat.with(mark)));
        }
        return Optional.of(message.message() instanceof ChangeEvent ? message.from(name) : message);
    }

    private synchronized Optional<SourceMark> mark(RowRules table, String source, long through) {
        Optional<Instant> watermark = covered(source, through).flatMap(position -> of(table, position));
        boolean comes = Optional.ofNullable(bySource.get(source))
                .flatMap(steps -> of(table, steps.getLast().position()))
                .isPresent();
        return watermark.isEmpty() && comes ? Optional.empty() : Optional.of(new SourceMark(watermark));
    }

    /** The newest position that holds once everything up to a sequence is published; earlier ones are forgotten. */
    private Optional<SourcePosition> covered(String source, long through) {
        Deque<Step> steps = bySource.getOrDefault(source, new ArrayDeque<>());
        Optional<Step> found = Optional.empty();
        for (Step next = steps.peekFirst(); next != null && next.sequence() <= through; next = steps.peekFirst()) {
            found = Optional.of(steps.removeFirst());
        }
        found.ifPresent(steps::addFirst);
        return found.map(Step::position);
    }

    private static boolean follows(RowRules table, String source) {
        return table.table().source().filter(from -> from.name().equals(source)).isPresent();
    }

    private static Optional<Instant> of(RowRules table, SourcePosition position) {
        return position.watermarkOf(table.table().name(), table.sourceSince());
    }
}
