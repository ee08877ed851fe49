package dev.tidemark.writer.failpoint;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.Failpoints;
import dev.tidemark.writer.catalog.DefinitionLog;
import dev.tidemark.writer.catalog.DefinitionStore;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;

/**
 * What a process wires: each port with its places, or as it is where the process was asked for no point.
 *
 * @param points empty in production
 */
public record WriterFailpoints(Optional<Failpoints> points) {

    public FactStore in(FactStore store) {
        return points.<FactStore>map(asked -> new FailpointFactStore(store, asked))
                .orElse(store);
    }

    public Outbox in(Outbox outbox) {
        return points.<Outbox>map(asked -> new FailpointOutbox(outbox, asked)).orElse(outbox);
    }

    public EventPublisher in(EventPublisher publisher) {
        return points.<EventPublisher>map(asked -> new FailpointPublisher(publisher, asked))
                .orElse(publisher);
    }

    public Tombstones in(Tombstones tombstones) {
        return points.<Tombstones>map(asked -> new FailpointTombstones(tombstones, asked))
                .orElse(tombstones);
    }

    public DefinitionStore in(DefinitionStore store) {
        return points.<DefinitionStore>map(asked -> new FailpointDefinitions.Store(store, asked))
                .orElse(store);
    }

    public DefinitionLog in(DefinitionLog log) {
        return points.<DefinitionLog>map(asked -> new FailpointDefinitions.Log(log, asked))
                .orElse(log);
    }

    public Agent in(Committer committer) {
        return points.<Agent>map(asked -> new CommitFailpoints.Answered(committer, asked))
                .orElse(committer);
    }

    /** Returns the listeners, followed by the failpoint that is reached once all of them were notified. */
    public List<Committer.Listener> after(List<Committer.Listener> listeners) {
        List<Committer.Listener> all = new ArrayList<>(listeners);
        points.ifPresent(asked -> all.add(new CommitFailpoints.Counted(asked)));
        return all;
    }

    /** A way into the log with a place after each handing over. */
    private record FailpointPublisher(EventPublisher publisher, Failpoints points) implements EventPublisher {
        @Override
        public Sending begin(List<Publication> messages) throws PublishException, InterruptedException {
            Sending sending = publisher.begin(messages);
            points.reach(WriterFailpoint.RELAY_SENT.label());
            return sending;
        }

        @Override
        public void reset() {
            publisher.reset();
        }
    }

    /** Deletes that are to be forgotten, with a place before and one after that is remembered. */
    private record FailpointTombstones(Tombstones tombstones, Failpoints points) implements Tombstones {
        @Override
        public List<Tombstone> due(Instant until, Set<String> except, int limit) {
            return tombstones.due(until, except, limit);
        }

        @Override
        public List<Tombstone> of(String table, Optional<Tombstone> after, int limit) {
            return tombstones.of(table, after, limit);
        }

        @Override
        public boolean isSuperseded(Tombstone tombstone) {
            return tombstones.isSuperseded(tombstone);
        }

        @Override
        public void remove(List<Tombstone> done) {
            points.reach(WriterFailpoint.FORGET_SENT.label());
            tombstones.remove(done);
            points.reach(WriterFailpoint.FORGET_DONE.label());
        }
    }
}
