package dev.tidemark.writer.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.progress.Progress;
import dev.tidemark.writer.catalog.LogUnavailableException;
import dev.tidemark.writer.lag.WorkerProgressReader;

/** Reads the progress that the index workers store beside the offsets they commit for their consumer group. */
public final class KafkaWorkerProgressReader implements WorkerProgressReader {
    private final AdminConnection admin;
    private final String group;
    private final Map<String, String> tableByTopic = new HashMap<>();

    public KafkaWorkerProgressReader(AdminConnection admin, String group, List<TableDefinition> tables) {
        this.admin = admin;
        this.group = group;
        tables.forEach(table -> tableByTopic.put(ChangeTopic.nameFor(table.name()), table.name()));
    }

    @Override
    public Map<String, Map<Integer, Progress>> read() throws LogUnavailableException, InterruptedException {
        try {
            Map<TopicPartition, OffsetAndMetadata> offsets =
                    admin.ask(client -> client.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
            return notes(offsets);
        } catch (GroupIdNotFoundException e) {
            return Map.of();
        } catch (KafkaException e) {
            throw new LogUnavailableException("group " + group + ": " + e.getMessage(), e);
        }
    }

    private Map<String, Map<Integer, Progress>> notes(Map<TopicPartition, OffsetAndMetadata> offsets) {
        Map<String, Map<Integer, Progress>> notes = new TreeMap<>();
        offsets.forEach((partition, committed) -> {
            String table = tableByTopic.get(partition.topic());
            if (table != null && committed != null) {
                Progress.ofOffsetMetadata(committed.metadata())
                        .ifPresent(progress -> notes.computeIfAbsent(table, name -> new TreeMap<>())
                                .put(partition.partition(), progress));
            }
        });
        return notes;
    }
}
