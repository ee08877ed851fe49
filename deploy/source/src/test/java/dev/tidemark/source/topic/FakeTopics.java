package dev.tidemark.source.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/** Topics in memory. */
final class FakeTopics implements Topics {
    private final Map<String, FakeTopic> topics = new TreeMap<>();
    private final Set<Place> held = new HashSet<>();
    /** How many records of each partition are gone. */
    long cut;

    Optional<Duration> forgets = Optional.empty();
    Duration spares = Duration.ZERO;

    /** Happens before each look. */
    Runnable beforeLook = () -> {};

    /** A topic. */
    private record FakeTopic(String id, List<List<Message>> partitions) {}

    FakeTopics create(String name, String id, int partitions) {
        List<List<Message>> all = new ArrayList<>();
        for (int number = 0; number < partitions; number++) {
            all.add(new ArrayList<>());
        }
        topics.put(name, new FakeTopic(id, all));
        return this;
    }

    void add(String topic, int number, @Nullable String key, @Nullable String value) {
        List<Message> records = records(new Place(topic, number));
        records.add(new Message(
                new Place(topic, number), records.size(), Optional.ofNullable(key), Optional.ofNullable(value)));
    }

    /** Ends a transaction: in each partition is an entry that is no record. */
    void commit() {
        topics.forEach((name, topic) -> {
            for (int number = 0; number < topic.partitions().size(); number++) {
                add(name, number, null, null);
            }
        });
    }

    /** Compaction removes a record. */
    void compact(String topic, int number, int offset) {
        Place place = new Place(topic, number);
        records(place).set(offset, new Message(place, offset, Optional.empty(), Optional.empty()));
    }

    private static boolean isRecord(Message entry) {
        return entry.key().isPresent() || entry.value().isPresent();
    }

    /** From now on, records of a partition are there and cannot be read, as those of an open transaction. */
    void hold(String topic, int number) {
        held.add(new Place(topic, number));
    }

    void release() {
        held.clear();
    }

    private List<Message> records(Place place) {
        FakeTopic topic = topics.get(place.topic());
        if (topic == null) {
            throw new AssertionError("no topic " + place.topic());
        }
        return topic.partitions().get(place.number());
    }

    @Override
    public Found look() {
        beforeLook.run();
        Map<String, Topic> found = new HashMap<>();
        topics.forEach((name, topic) -> found.put(
                name,
                new Topic(
                        topic.id(),
                        forgets.map(time -> new Compaction(spares, time)),
                        topic.partitions().stream()
                                .map(records -> new Range(cut, Math.max(cut, records.size())))
                                .toList())));
        return new Found(found);
    }

    @Override
    public Reading read(Map<Place, Long> from) {
        Map<Place, Long> positions = new HashMap<>(from);
        return new Reading() {
            @Override
            public List<Message> poll() {
                List<Message> messages = new ArrayList<>();
                positions.replaceAll((place, next) -> {
                    List<Message> records = records(place);
                    if (held.contains(place)) {
                        return next;
                    }
                    records.subList(next.intValue(), records.size()).stream()
                            .filter(FakeTopics::isRecord)
                            .forEach(messages::add);
                    return (long) records.size();
                });
                return messages;
            }

            @Override
            public Map<Place, Long> positions() {
                return Map.copyOf(positions);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
