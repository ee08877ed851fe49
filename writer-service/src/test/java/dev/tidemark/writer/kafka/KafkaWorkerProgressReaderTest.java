package dev.tidemark.writer.kafka;

import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.kafka.GroupNotes;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.lag.FreshnessWatch;

import static dev.tidemark.writer.testkit.TestTables.MOVIES;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class KafkaWorkerProgressReaderTest {
    private final ManualClock clock = new ManualClock();
    private boolean lost;
    private boolean unlisted;
    private final GroupNotes notes = new GroupNotes("workers", new Brokers(), Duration.ZERO, clock);
    private final FreshnessWatch watch = new FreshnessWatch(
            new KafkaWorkerProgressReader(
                    notes, () -> Definitions.first(new Catalog(List.of(MOVIES)), ManualClock.START)),
            () -> 1,
            clock,
            new WakeupSignal());

    /** Two groups, of which the second may have lost its coordinator, which may not list it either. */
    private final class Brokers implements GroupNotes.Brokers {
        @Override
        public CompletableFuture<GroupNotes.Listing> groups() {
            List<GroupListing> all = List.of(listed("workers.a"), listed("workers.b"));
            return CompletableFuture.completedFuture(
                    new GroupNotes.Listing(unlisted ? all.subList(0, 1) : all, !unlisted));
        }

        private static GroupListing listed(String group) {
            return new GroupListing(group, Optional.empty(), "consumer", Optional.of(GroupState.STABLE));
        }

        @Override
        public Map<String, CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> offsets(
                Collection<String> groups) {
            Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
            OffsetNote note = new OffsetNote(
                    new Progress(clock.instant(), version(1)), URI.create("http://w"), "w", new TreeSet<>());
            for (int partition = 0; partition < MOVIES.partitions(); partition++) {
                committed.put(
                        new TopicPartition(ChangeTopic.nameFor(MOVIES.name()), partition),
                        new OffsetAndMetadata(7, note.toString()));
            }
            Map<String, CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> all = new HashMap<>();
            groups.forEach(group -> all.put(
                    group,
                    lost && group.equals("workers.b")
                            ? CompletableFuture.failedFuture(new KafkaException("no coordinator"))
                            : CompletableFuture.completedFuture(committed)));
            return all;
        }
    }

    @Test
    void theFreshnessIsUnknownWhileOneGroupCannotBeRead() throws InterruptedException {
        watch.agent().doWork();
        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ZERO);

        lost = true;
        clock.advance(Duration.ofSeconds(1));
        watch.agent().doWork();
        assertThat(watch.freshness(List.of(MOVIES)))
                .as("a worker that is behind may have its partitions by now")
                .isEmpty();

        lost = false;
        clock.advance(Duration.ofSeconds(1));
        watch.agent().doWork();
        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ZERO);
    }

    @Test
    void theFreshnessIsUnknownUntilAllGroupsWereListedOnce() throws InterruptedException {
        unlisted = true;
        watch.agent().doWork();
        assertThat(watch.freshness(List.of(MOVIES)))
                .as("a group that is not known may be behind")
                .isEmpty();

        unlisted = false;
        clock.advance(Duration.ofSeconds(3));
        watch.agent().doWork();
        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ZERO);

        unlisted = true;
        clock.advance(Duration.ofSeconds(3));
        watch.agent().doWork();
        assertThat(watch.freshness(List.of(MOVIES))).contains(Duration.ZERO);
    }
}
