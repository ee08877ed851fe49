package dev.tidemark.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.ListGroupsResult;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks the brokers through an administrative client.
 *
 * @param admin gives the client, or throws a {@link org.apache.kafka.common.KafkaException}
 */
public record AdminBrokers(Supplier<Admin> admin) implements GroupNotes.Brokers {
    @Override
    public CompletableFuture<GroupNotes.Listing> groups() {
        ListGroupsResult asked = admin.get().listGroups(ListGroupsOptions.forConsumerGroups());
        return future(asked.valid())
                .thenCombine(
                        future(asked.errors()), (found, failed) -> new GroupNotes.Listing(found, failed.isEmpty()));
    }

    @Override
    public Map<String, CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> offsets(Collection<String> groups) {
        ListConsumerGroupOffsetsResult asked = admin.get()
                .listConsumerGroupOffsets(groups.stream()
                        .collect(Collectors.toMap(Function.identity(), group -> new ListConsumerGroupOffsetsSpec())));
        Map<String, CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> each = new HashMap<>();
        groups.forEach(group -> each.put(group, future(asked.partitionsToOffsetAndMetadata(group))));
        return each;
    }

    private static <T> CompletableFuture<T> future(KafkaFuture<T> asked) {
        return asked.toCompletionStage().toCompletableFuture();
    }
}
