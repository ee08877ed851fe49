package dev.tidemark.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;

import dev.tidemark.kafka.PollAllowance;

/** A client in memory that reads one partition, and ends a poll where the allowance does, as Kafka's own does. */
public final class AllowedConsumer extends MockConsumer<byte[], byte[]> {
    private final PollAllowance allowance;
    private final Map<TopicPartition, Integer> records = new HashMap<>();
    private byte[] value = {};

    public AllowedConsumer(PollAllowance allowance) {
        super("earliest");
        this.allowance = allowance;
    }

    /** There are records of so many bytes, from offset 0 on. */
    public void fill(TopicPartition partition, int count, int bytes) {
        records.put(partition, count);
        value = new byte[bytes];
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        for (TopicPartition partition : assignment()) {
            List<ConsumerRecord<byte[], byte[]>> here = new ArrayList<>();
            long offset = position(partition);
            while (offset < records.getOrDefault(partition, 0) && isAllowed(partition)) {
                here.add(new ConsumerRecord<>(partition.topic(), partition.partition(), offset, new byte[] {1}, value));
                offset++;
            }
            seek(partition, offset);
            if (!here.isEmpty()) {
                found.put(partition, here);
                next.put(partition, new OffsetAndMetadata(offset));
            }
        }
        return new ConsumerRecords<>(found, next);
    }

    private boolean isAllowed(TopicPartition partition) {
        try {
            allowance.keys().deserialize(partition.topic(), new byte[] {1});
            allowance.values().deserialize(partition.topic(), value);
            return true;
        } catch (SerializationException e) {
            return false;
        }
    }
}
