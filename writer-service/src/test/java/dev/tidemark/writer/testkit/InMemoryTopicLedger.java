package dev.tidemark.writer.testkit;

import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.outbox.TopicRecord;

/** What is remembered of topics, on an {@link InMemoryDisk}. */
public final class InMemoryTopicLedger implements TopicLedger {
    private final InMemoryDisk disk;

    public InMemoryTopicLedger(InMemoryDisk disk) {
        this.disk = disk;
    }

    @Override
    public Optional<TopicRecord> find(String table) {
        synchronized (disk) {
            return Optional.ofNullable(disk.topics.get(table));
        }
    }

    @Override
    public void save(String table, TopicRecord topic, boolean durably) {
        synchronized (disk) {
            TopicRecord before = disk.topics.get(table);
            if (durably) {
                disk.synced(() -> disk.topics.put(table, topic));
            } else {
                disk.unsynced(() -> disk.topics.put(table, topic), () -> restore(table, before));
            }
        }
    }

    @Override
    public Set<String> tables() {
        synchronized (disk) {
            return Set.copyOf(disk.topics.keySet());
        }
    }

    @Override
    public void forget(String table) {
        synchronized (disk) {
            disk.synced(() -> disk.topics.remove(table));
        }
    }

    @Override
    public Optional<RowVersion> unsettled() {
        synchronized (disk) {
            return Optional.ofNullable(disk.unsettled);
        }
    }

    @Override
    public void unsettled(RowVersion since) {
        synchronized (disk) {
            disk.synced(() -> disk.unsettled = since);
        }
    }

    @Override
    public void settled() {
        synchronized (disk) {
            disk.synced(() -> disk.unsettled = null);
        }
    }

    @Override
    public long nextSession(long least) {
        synchronized (disk) {
            disk.synced(() -> disk.session = Math.max(disk.session, least) + 1);
            return disk.session;
        }
    }

    @Override
    public long lastSession() {
        synchronized (disk) {
            return disk.session;
        }
    }

    private void restore(String table, @Nullable TopicRecord before) {
        if (before == null) {
            disk.topics.remove(table);
        } else {
            disk.topics.put(table, before);
        }
    }
}
