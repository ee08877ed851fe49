package dev.tidemark.kafka;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GroupNotesTest {
    private static final Duration PATIENCE = Duration.ofMillis(50);
    private static final List<String> TABLES = List.of("films");

    private final ManualClock clock = new ManualClock();
    private final Map<String, GroupState> states = new TreeMap<>();
    private final Set<String> silent = new HashSet<>();
    private final Set<String> failing = new HashSet<>();
    private final Set<CompletableFuture<?>> unanswered = new HashSet<>();
    private boolean wholeListing = true;
    private boolean silentListing;
    private long second;
    private final GroupNotes notes = new GroupNotes("workers", new Brokers(), PATIENCE, clock);

    /** What the brokers answer: every group has committed one note, of the present second. */
    private final class Brokers implements GroupNotes.Brokers {
        @Override
        public CompletableFuture<GroupNotes.Listing> groups() {
            List<GroupListing> found = states.entrySet().stream()
                    .map(group -> new GroupListing(
                            group.getKey(), Optional.empty(), "consumer", Optional.of(group.getValue())))
                    .toList();
            return silentListing
                    ? open()
                    : CompletableFuture.completedFuture(new GroupNotes.Listing(found, wholeListing));
        }

        @Override
        public Map<String, CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> offsets(
                Collection<String> groups) {
            Map<String, CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> all = new HashMap<>();
            for (String group : groups) {
                OffsetNote note = new OffsetNote(
                        new Progress(Instant.ofEpochSecond(second), new RowVersion(1, second)),
                        URI.create("http://" + group),
                        group,
                        new TreeSet<>());
                TopicPartition partition = new TopicPartition(ChangeTopic.nameFor("films"), 0);
                all.put(
                        group,
                        failing.contains(group)
                                ? CompletableFuture.failedFuture(new KafkaException("no coordinator"))
                                : silent.contains(group)
                                        ? open()
                                        : CompletableFuture.completedFuture(
                                                Map.of(partition, new OffsetAndMetadata(7, note.toString()))));
            }
            return all;
        }

        private <T> CompletableFuture<T> open() {
            CompletableFuture<T> open = new CompletableFuture<>();
            unanswered.add(open);
            return open;
        }
    }

    private void groups(String... names) {
        for (String name : names) {
            states.put("workers." + name, GroupState.STABLE);
        }
    }

    /** The second of the note of each group. */
    private Map<String, Long> seconds() throws InterruptedException {
        second++;
        clock.advance(Duration.ofMillis(500));
        Map<String, Long> seconds = new TreeMap<>();
        notes.read(TABLES)
                .notes()
                .forEach(noted -> seconds.put(
                        noted.replicaGroup(),
                        noted.note().orElseThrow().progress().completeUpTo().getEpochSecond()));
        return seconds;
    }

    private Map<String, Boolean> unread() throws InterruptedException {
        return notes.read(TABLES).unread();
    }

    @Test
    void readsTheOtherGroupsWhileOneFails() throws InterruptedException {
        groups("a", "b");
        assertThat(seconds()).isEqualTo(Map.of("a", 1L, "b", 1L));
        failing.add("workers.b");

        assertThat(seconds()).isEqualTo(Map.of("a", 2L, "b", 1L));
        assertThat(unread()).isEqualTo(Map.of("b", true));

        failing.clear();
        assertThat(seconds()).isEqualTo(Map.of("a", 3L, "b", 3L));
        assertThat(unread()).isEmpty();
    }

    @Test
    void namesTheGroupsThatHaveMembersAlsoWhereTheyCannotBeRead() throws InterruptedException {
        groups("a", "b", "c");
        states.put("workers.c", GroupState.EMPTY);
        silent.add("workers.b");

        GroupNotes.Reading read = notes.read(TABLES);

        assertThat(read.notes()).extracting(GroupNotes.Noted::replicaGroup).containsExactlyInAnyOrder("a", "c");
        assertThat(read.live()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void waitsOnceForAGroupWhoseBrokerDoesNotAnswer() throws InterruptedException {
        groups("a", "b");
        silent.add("workers.b");
        assertThat(seconds()).isEqualTo(Map.of("a", 1L));
        assertThat(unanswered).hasSize(1);
        silent.clear();

        assertThat(seconds()).as("the first question is open").isEqualTo(Map.of("a", 2L));
        assertThat(unread()).isEqualTo(Map.of("b", true));
        unanswered.forEach(open -> open.completeExceptionally(new KafkaException("no coordinator")));
        assertThat(seconds()).isEqualTo(Map.of("a", 3L, "b", 3L));
    }

    @Test
    void failsWhileNoGroupCanBeRead() throws InterruptedException {
        groups("a");
        failing.add("workers.a");
        assertThatThrownBy(this::seconds).isInstanceOf(KafkaException.class);
        failing.clear();
        assertThat(seconds()).isEqualTo(Map.of("a", 2L));
    }

    @Test
    void keepsTheGroupsThatABrokerDoesNotListAnyMore() throws InterruptedException {
        groups("a", "b", "c");
        states.put("workers.b", GroupState.EMPTY);
        assertThat(live()).isEqualTo(Map.of("a", true, "b", false, "c", true));
        states.remove("workers.b");
        states.put("workers.c", GroupState.EMPTY);
        wholeListing = false;
        clock.advance(Duration.ofSeconds(3));

        assertThat(live()).as("b may have members by now").isEqualTo(Map.of("a", true, "b", true, "c", false));

        wholeListing = true;
        clock.advance(Duration.ofSeconds(3));
        assertThat(live()).isEqualTo(Map.of("a", true, "c", false));
    }

    @Test
    void aGroupThatNotesSomethingHasMembersUntilItIsListedAgain() throws InterruptedException {
        groups("a", "b");
        states.put("workers.b", GroupState.EMPTY);
        assertThat(live()).isEqualTo(Map.of("a", true, "b", false));

        second++;
        assertThat(live()).as("it was started again").isEqualTo(Map.of("a", true, "b", true));

        clock.advance(Duration.ofSeconds(3));
        assertThat(live()).isEqualTo(Map.of("a", true, "b", false));
    }

    @Test
    void readsTheGroupsThatAreKnownWhileTheyAreNotListed() throws InterruptedException {
        groups("a", "b");
        assertThat(seconds()).hasSize(2);
        silentListing = true;
        for (long read = 2; read < 20; read++) {
            assertThat(seconds()).isEqualTo(Map.of("a", read, "b", read));
        }
        assertThat(unanswered).hasSize(1);
    }

    @Test
    void failsWhileTheGroupsWereNeverListed() throws InterruptedException {
        groups("a");
        wholeListing = false;
        assertThat(seconds()).hasSize(1);

        GroupNotes others = new GroupNotes("others", new Brokers(), PATIENCE, clock);
        assertThatThrownBy(() -> others.read(TABLES)).isInstanceOf(KafkaException.class);
        wholeListing = true;
        assertThat(others.read(TABLES).notes()).isEmpty();
    }

    @Test
    void saysWhetherAllBrokersHaveListedTheirGroupsOnce() throws InterruptedException {
        groups("a");
        wholeListing = false;
        assertThat(notes.read(TABLES).listed()).as("another group may be there").isFalse();

        groups("b");
        wholeListing = true;
        clock.advance(Duration.ofSeconds(3));
        assertThat(notes.read(TABLES).listed()).isTrue();

        states.remove("workers.b");
        wholeListing = false;
        clock.advance(Duration.ofSeconds(3));
        assertThat(notes.read(TABLES).listed()).as("those of before are known").isTrue();
    }

    private Map<String, Boolean> live() throws InterruptedException {
        Map<String, Boolean> live = new TreeMap<>();
        notes.read(TABLES).notes().forEach(noted -> live.put(noted.replicaGroup(), noted.live()));
        return live;
    }
}
