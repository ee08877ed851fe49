package dev.tidemark.source.topic;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.source.feed.Writer;

/**
 * How to begin, or to go on: with the records after a position, or with all records.
 *
 * @param load why all records are read; empty to go on
 * @param lost why neither leads to the rows of the database; empty where one does
 */
record TopicStart(Optional<String> load, Optional<String> lost) {
    private static final TopicStart FOLLOW = new TopicStart(Optional.empty(), Optional.empty());

    /**
     * Decides.
     *
     * @param position empty before the first batch
     */
    static TopicStart decide(Optional<TopicPosition> position, Writer.State state, Topics.Found found) {
        if (position.isEmpty()) {
            return load("no rows were read so far", found);
        }
        TopicPosition from = position.get();
        Optional<String> gap = gap(from, found);
        if (gap.isPresent()) {
            return new TopicStart(Optional.empty(), gap);
        }
        if (from.loading().isPresent()) {
            return load("the last time that all was read did not end", found);
        }
        if (!from.ids().keySet().equals(found.topics().keySet())) {
            return load("it reads other topics now", found);
        }
        if (!found.compacted().keySet().stream().allMatch(from.carried()::knows)) {
            return load("an older version did not delete rows of which only a record without a value is left", found);
        }
        if (!Writer.Origin.areStill(from.tables(), Writer.Origin.of(state.tables()))
                || (from.covered() && !isCovered(from, state))) {
            return load("other tables follow the source now", found);
        }
        Instant now = state.time();
        boolean forgotten = found.compacted().values().stream()
                .anyMatch(how -> now.isAfter(from.current().plus(how.forgets())));
        return forgotten ? load("deletions may have left the topics unread, by delete.retention.ms", found) : FOLLOW;
    }

    /** The same, but all records are read where they would not be, if there is a reason. */
    TopicStart orLoad(Optional<String> why, Topics.Found found) {
        return equals(FOLLOW) && why.isPresent() ? load(why.get(), found) : this;
    }

    private static TopicStart load(String why, Topics.Found found) {
        return new TopicStart(Optional.of(why), found.incomplete());
    }

    private static Optional<String> gap(TopicPosition from, Topics.Found found) {
        for (Map.Entry<String, Topics.Topic> one : found.topics().entrySet()) {
            String former = from.ids().get(one.getKey());
            if (former != null && !former.equals(one.getValue().id())) {
                return Optional.of("topic " + one.getKey() + " was created again");
            }
            Optional<String> gap = former == null ? Optional.empty() : gap(from, one.getKey(), one.getValue());
            if (gap.isPresent()) {
                return gap;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> gap(TopicPosition from, String name, Topics.Topic topic) {
        long known = from.offsets().keySet().stream()
                .filter(place -> place.topic().equals(name))
                .count();
        if (known != topic.partitions().size()) {
            return Optional.of("topic " + name + " had " + known + " partitions and has "
                    + topic.partitions().size() + ", so changes of a row are in two of them, in no order");
        }
        for (int number = 0; number < known; number++) {
            Topics.Range range = topic.partitions().get(number);
            long next = from.offsets().getOrDefault(new Topics.Place(name, number), 0L);
            if (next < range.begin()) {
                return Optional.of("records of topic " + name + " were removed before they were read");
            }
            if (next > range.end()) {
                return Optional.of("topic " + name + " has lost records that were read");
            }
        }
        return Optional.empty();
    }

    /** Whether the watermark is about the tables that the topics bring, and about no other. */
    private static boolean isCovered(TopicPosition from, Writer.State state) {
        return state.tables().stream().allMatch(table -> table.covered() == from.brings(table.source()));
    }
}
