package dev.tidemark.source.topic;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The topics that a source reads. */
public interface Topics extends AutoCloseable {
    /**
     * A partition.
     *
     * @param number from 0
     */
    record Place(String topic, int number) {}

    /** Where a partition begins and ends; records of transactions that are not decided are before its end. */
    record Range(long begin, long end) {}

    /**
     * How records of which there are later ones leave a topic.
     *
     * @param spares for how long none does
     * @param forgets after how long a deletion may have left the topic as well
     */
    record Compaction(Duration spares, Duration forgets) {}

    /**
     * A topic.
     *
     * @param id another one after the topic was created again
     * @param compaction empty where a record stays as long as those behind it
     * @param partitions by their number
     */
    record Topic(String id, Optional<Compaction> compaction, List<Range> partitions) {
        public Topic {
            partitions = List.copyOf(partitions);
        }
    }

    /** All topics, by name. */
    record Found(Map<String, Topic> topics) {
        public Found {
            topics = Map.copyOf(topics);
        }

        /** Where partitions end. */
        Map<Place, Long> ends() {
            Map<Place, Long> ends = new HashMap<>();
            topics.forEach((name, topic) -> {
                for (int number = 0; number < topic.partitions().size(); number++) {
                    ends.put(
                            new Place(name, number),
                            topic.partitions().get(number).end());
                }
            });
            return ends;
        }

        /** Why the topics do not lead to all rows; empty where they do. */
        Optional<String> incomplete() {
            return topics.entrySet().stream()
                    .filter(topic -> topic.getValue().partitions().stream().anyMatch(range -> range.begin() > 0))
                    .map(topic -> "topic " + topic.getKey() + " has lost its first records, and rows with them")
                    .findFirst();
        }

        /** How topics are compacted, by name; the others are not. */
        Map<String, Compaction> compacted() {
            Map<String, Compaction> compacted = new HashMap<>();
            topics.forEach((name, topic) -> topic.compaction().ifPresent(how -> compacted.put(name, how)));
            return compacted;
        }

        /** How many records each topic has at most. */
        Map<String, Long> sizes() {
            Map<String, Long> sizes = new TreeMap<>();
            topics.forEach((name, topic) -> sizes.put(
                    name,
                    topic.partitions().stream()
                            .mapToLong(range -> range.end() - range.begin())
                            .sum()));
            return sizes;
        }
    }

    /** A record; a tombstone has no value. */
    record Message(Place place, long offset, Optional<String> key, Optional<String> value) {}

    /** Topics under way. */
    interface Reading extends AutoCloseable {
        /** The next records, in the order of each partition, of decided transactions alone; waits a little for some. */
        List<Message> poll() throws TopicsException, InterruptedException;

        /** Where each partition goes on: all before was returned, or is no record. */
        Map<Place, Long> positions() throws TopicsException;

        @Override
        void close();
    }

    /** Looks at all topics. */
    Found look() throws TopicsException, InterruptedException;

    /** Reads partitions, each from an offset. */
    Reading read(Map<Place, Long> from);

    @Override
    void close();

    /** Topics cannot be read, or a record is not what it should be. */
    final class TopicsException extends Exception {
        private static final long serialVersionUID = 1L;

        public TopicsException(String message) {
            super(message);
        }

        public TopicsException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
