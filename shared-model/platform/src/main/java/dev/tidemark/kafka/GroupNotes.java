package dev.tidemark.kafka;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.progress.OffsetNote;

/**
 * Reads what the workers of all replica groups note beside their committed offsets. Each group is read by itself, so
 * that one whose broker does not answer does not hide the others. For one thread.
 */
public final class GroupNotes {
    /** Replica groups come and go seldom, and every broker has to be asked for them. */
    private static final Duration LIST_EVERY = Duration.ofSeconds(3);

    private final String prefix;
    private final Brokers brokers;
    private final Duration patience;
    private final Clock clock;
    private final Map<String, Map<TopicPartition, OffsetAndMetadata>> read = new HashMap<>();

    /** Questions about groups that were not answered in time, or failed; such a group is not waited for again. */
    private final Map<String, CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> late = new HashMap<>();

    private Map<String, Boolean> groups = new HashMap<>();
    private @Nullable CompletableFuture<Listing> listing;
    private boolean listed = true;
    private boolean everListed;
    private Instant next = Instant.MIN;

    /** Sends questions to the brokers, and does not wait. */
    public interface Brokers {
        /** The consumer groups. */
        CompletableFuture<Listing> groups();

        /** What some groups have committed. */
        Map<String, CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> offsets(Collection<String> groups);
    }

    /**
     * The consumer groups that brokers know.
     *
     * @param whole whether every broker has answered
     */
    public record Listing(Collection<GroupListing> found, boolean whole) {}

    /**
     * What is noted of a partition.
     *
     * @param replicaGroup whose note it is
     * @param live whether the group has members, as far as is known
     * @param note empty where the owner has not noted anything since it has the partition
     */
    public record Noted(String replicaGroup, boolean live, String table, int partition, Optional<OffsetNote> note) {}

    /**
     * The notes of all groups.
     *
     * @param live replica groups that have members, as far as is known, also where none of these has noted anything
     * @param unread replica groups that could not be read this time, and whether they have members; their notes are
     *     those of before, and others may have their partitions by now
     * @param listed whether all brokers have listed their groups once; there may be others until then
     */
    public record Reading(List<Noted> notes, Set<String> live, Map<String, Boolean> unread, boolean listed) {}

    /**
     * Nothing was read yet.
     *
     * @param group begin of the names of the consumer groups; a dot and a replica group follow
     * @param patience how long answers are awaited
     */
    public GroupNotes(String group, Brokers brokers, Duration patience, Clock clock) {
        this.prefix = group + ".";
        this.brokers = brokers;
        this.patience = patience;
        this.clock = clock;
    }

    /**
     * Returns the notes about the partitions of some tables, of all replica groups.
     *
     * @throws KafkaException when no group can be read
     */
    public Reading read(Collection<String> tables) throws InterruptedException {
        list();
        readGroups();
        Set<String> unread = new HashSet<>(groups.keySet());
        unread.retainAll(late.keySet());
        if (!groups.isEmpty() && unread.size() == groups.size()) {
            throw new KafkaException("none of the groups " + groups.keySet() + " can be read");
        }
        Map<String, String> byTopic =
                tables.stream().collect(Collectors.toMap(ChangeTopic::nameFor, table -> table, (one, same) -> one));
        List<Noted> notes = new ArrayList<>();
        groups.forEach((group, live) -> read.getOrDefault(group, Map.of()).forEach((partition, offset) -> {
            String table = byTopic.get(partition.topic());
            if (table != null && offset != null) {
                notes.add(new Noted(
                        replicaGroup(group), live, table, partition.partition(), OffsetNote.parse(offset.metadata())));
            }
        }));
        return new Reading(
                notes,
                groups.keySet().stream()
                        .filter(groups::get)
                        .map(this::replicaGroup)
                        .collect(Collectors.toSet()),
                unread.stream()
                        .collect(Collectors.toMap(this::replicaGroup, group -> groups.getOrDefault(group, true))),
                everListed);
    }

    private String replicaGroup(String group) {
        return group.substring(prefix.length());
    }

    /** Lists the groups from time to time. A listing that comes late counts from the next time on. */
    private void list() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            return;
        }
        next = now.plus(LIST_EVERY);
        CompletableFuture<Listing> asked = listing;
        if (asked == null || asked.isDone()) {
            take(asked);
            asked = brokers.groups();
            listing = asked;
            if (listed || groups.isEmpty()) {
                await(List.of(asked));
            }
        }
        if (asked.isDone()) {
            take(asked);
            listing = null;
        } else {
            keep();
        }
        if (groups.isEmpty() && !listed) {
            next = Instant.MIN;
            throw new KafkaException("the brokers do not list their groups");
        }
    }

    private void take(@Nullable CompletableFuture<Listing> answered) {
        if (answered == null) {
            return;
        }
        if (answered.isCompletedExceptionally()) {
            keep();
            return;
        }
        Listing found = answered.join();
        Map<String, Boolean> known = live(found.found());
        if (!found.whole()) {
            keep();
            groups.forEach(known::putIfAbsent);
        }
        groups = known;
        listed = found.whole();
        everListed |= listed;
        read.keySet().retainAll(groups.keySet());
        late.keySet().retainAll(groups.keySet());
    }

    /** Keeps the groups that are known. Each may have got members by now, which counts as having some. */
    private void keep() {
        listed = false;
        groups.replaceAll((group, live) -> true);
    }

    private void readGroups() throws InterruptedException {
        Set<String> wanted = new HashSet<>(groups.keySet());
        late.forEach((group, asked) -> {
            if (!asked.isDone()) {
                wanted.remove(group);
            }
        });
        if (wanted.isEmpty()) {
            return;
        }
        Map<String, CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> asked = brokers.offsets(wanted);
        await(asked.entrySet().stream()
                .filter(each -> !isFailed(late.get(each.getKey())))
                .map(Map.Entry::getValue)
                .toList());
        asked.forEach((group, answer) -> {
            if (answer.isDone() && !answer.isCompletedExceptionally()) {
                Map<TopicPartition, OffsetAndMetadata> former = read.put(group, answer.join());
                if (former != null && !former.equals(answer.join())) {
                    // Members commit: the group may have got some since it was listed.
                    groups.put(group, true);
                }
                late.remove(group);
            } else {
                late.put(group, answer);
            }
        });
    }

    private static boolean isFailed(@Nullable CompletableFuture<?> asked) {
        return asked != null && asked.isCompletedExceptionally();
    }

    /** Waits until all of these have an answer or have failed, but not for long. */
    private void await(List<? extends CompletableFuture<?>> asked) throws InterruptedException {
        CompletableFuture<?>[] ended = asked.stream()
                .map(each -> each.handle((answer, failure) -> "ended"))
                .toArray(CompletableFuture<?>[]::new);
        try {
            Object unused = CompletableFuture.allOf(ended).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // What has not come counts as not answered.
            return;
        }
    }

    private Map<String, Boolean> live(Collection<GroupListing> found) {
        Map<String, Boolean> live = new HashMap<>();
        for (GroupListing group : found) {
            if (group.groupId().startsWith(prefix)) {
                GroupState state = group.groupState().orElse(GroupState.UNKNOWN);
                live.put(group.groupId(), state != GroupState.EMPTY && state != GroupState.DEAD);
            }
        }
        return live;
    }
}
