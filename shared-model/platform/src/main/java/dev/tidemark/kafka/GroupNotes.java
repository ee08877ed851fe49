package dev.tidemark.kafka;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.progress.OffsetNote;

/** Reads what the workers of all replica groups note beside their committed offsets. For one thread. */
public final class GroupNotes {
    /** Replica groups come and go seldom, and every broker has to be asked for them. */
    private static final Duration LIST_EVERY = Duration.ofSeconds(3);

    private final String prefix;
    private final Questions brokers;
    private final Clock clock;
    private Map<String, Boolean> groups = Map.of();
    private Instant next = Instant.MIN;

    /** Asks the brokers through an administrative client. */
    public interface Questions {
        /** Waits for the answer; every failure is a {@link org.apache.kafka.common.KafkaException}. */
        <T> T ask(Function<Admin, KafkaFuture<T>> question) throws InterruptedException;
    }

    /**
     * What is noted of a partition.
     *
     * @param replicaGroup whose note it is
     * @param live whether the group has members
     * @param note empty where the owner has not noted anything since it has the partition
     */
    public record Noted(String replicaGroup, boolean live, String table, int partition, Optional<OffsetNote> note) {}

    /**
     * Nothing was read yet.
     *
     * @param group begin of the names of the consumer groups; a dot and a replica group follow
     */
    public GroupNotes(String group, Questions brokers, Clock clock) {
        this.prefix = group + ".";
        this.brokers = brokers;
        this.clock = clock;
    }

    /** Returns the notes about the partitions of some tables, of all replica groups. */
    public List<Noted> read(Collection<String> tables) throws InterruptedException {
        Instant now = clock.instant();
        if (!now.isBefore(next)) {
            groups = live(brokers.ask(admin ->
                    admin.listGroups(ListGroupsOptions.forConsumerGroups()).all()));
            next = now.plus(LIST_EVERY);
        }
        if (groups.isEmpty()) {
            return List.of();
        }
        Map<String, ListConsumerGroupOffsetsSpec> all =
                groups.keySet().stream().collect(Collectors.toMap(id -> id, id -> new ListConsumerGroupOffsetsSpec()));
        Map<String, Map<TopicPartition, OffsetAndMetadata>> offsets =
                brokers.ask(admin -> admin.listConsumerGroupOffsets(all).all());
        Map<String, String> byTopic =
                tables.stream().collect(Collectors.toMap(ChangeTopic::nameFor, table -> table, (one, same) -> one));
        List<Noted> notes = new ArrayList<>();
        offsets.forEach((group, committed) -> committed.forEach((partition, offset) -> {
            String table = byTopic.get(partition.topic());
            if (table != null && offset != null) {
                notes.add(new Noted(
                        group.substring(prefix.length()),
                        groups.getOrDefault(group, false),
                        table,
                        partition.partition(),
                        OffsetNote.parse(offset.metadata())));
            }
        }));
        return notes;
    }

    private Map<String, Boolean> live(Collection<GroupListing> listed) {
        Map<String, Boolean> found = new HashMap<>();
        for (GroupListing group : listed) {
            if (group.groupId().startsWith(prefix)) {
                GroupState state = group.groupState().orElse(GroupState.UNKNOWN);
                found.put(group.groupId(), state != GroupState.EMPTY && state != GroupState.DEAD);
            }
        }
        return found;
    }
}
