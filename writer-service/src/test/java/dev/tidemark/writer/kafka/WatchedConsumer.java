package dev.tidemark.writer.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;

/** A consumer of one partition in memory that remembers how it was closed. */
final class WatchedConsumer extends MockConsumer<byte[], byte[]> {
    private final TopicPartition partition;
    private final List<Optional<Duration>> closes = new ArrayList<>();

    WatchedConsumer(String topic) {
        super("earliest");
        partition = new TopicPartition(topic, 0);
        updateBeginningOffsets(Map.of(partition, 0L));
        updateEndOffsets(Map.of(partition, 0L));
    }

    /** Gives a record with the next poll. */
    void give(long offset, byte[] value) {
        schedulePollTask(() -> addRecord(
                new ConsumerRecord<>(partition.topic(), partition.partition(), offset, new byte[] {1}, value)));
    }

    /** The bound of each close; empty where there was none. */
    List<Optional<Duration>> closes() {
        return closes;
    }

    @Override
    public void close() {
        closes.add(Optional.empty());
    }

    @Override
    public void close(CloseOptions how) {
        closes.add(how.timeout());
    }
}
