package dev.tidemark.worker.kafka;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.apache.kafka.clients.admin.Admin;

import dev.tidemark.kafka.AdminBrokers;
import dev.tidemark.kafka.GroupNotes;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.OwnerSource;
import dev.tidemark.worker.store.ShardId;

/** The owners of shards by what workers note beside their committed offsets. */
public final class KafkaOwnerSource implements OwnerSource, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Admin admin;
    private final GroupNotes notes;

    /**
     * Creates a separate admin client.
     *
     * @param group begin of the names of the consumer groups
     */
    public KafkaOwnerSource(ConsumerSettings settings, String group, Clock clock) {
        this.admin = Admin.create(settings.admin("routes"));
        this.notes = new GroupNotes(group, new AdminBrokers(() -> admin), PATIENCE, clock);
    }

    @Override
    public Reading read(Collection<String> tables) throws InterruptedException {
        // Where a group cannot be read, its notes of before do: a worker refuses what it does not hold any more.
        GroupNotes.Reading read = notes.read(tables);
        List<Owner> owners = read.notes().stream()
                .flatMap(noted -> noted
                        .note()
                        .map(note -> new Owner(
                                new ShardId(noted.table(), noted.partition()),
                                noted.replicaGroup(),
                                noted.live(),
                                note))
                        .stream())
                .toList();
        return new Reading(owners, read.live(), read.listed() && !read.unread().containsValue(true));
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
