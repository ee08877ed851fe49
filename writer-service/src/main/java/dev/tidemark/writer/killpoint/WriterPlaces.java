package dev.tidemark.writer.killpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.KillPoints;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.define.DefinitionLog;
import dev.tidemark.writer.define.DefinitionStore;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Outbox;
import dev.tidemark.writer.outbox.Tombstones;

/**
 * What a process wires: each port with its places, or as it is where the process was asked for no point.
 *
 * @param points empty in production
 */
public record WriterPlaces(Optional<KillPoints> points) {

    public FactStore in(FactStore store) {
        return points.<FactStore>map(asked -> new KillableFactStore(store, asked))
                .orElse(store);
    }

    public Outbox in(Outbox outbox) {
        return points.<Outbox>map(asked -> new KillableOutbox(outbox, asked)).orElse(outbox);
    }

    public EventPublisher in(EventPublisher publisher) {
        return points.<EventPublisher>map(asked -> new KillablePublisher(publisher, asked))
                .orElse(publisher);
    }

    public Tombstones in(Tombstones tombstones) {
        return points.<Tombstones>map(asked -> new KillableTombstones(tombstones, asked))
                .orElse(tombstones);
    }

    public DefinitionStore in(DefinitionStore store) {
        return points.<DefinitionStore>map(asked -> new KillableDefinitions.Store(store, asked))
                .orElse(store);
    }

    public DefinitionLog in(DefinitionLog log) {
        return points.<DefinitionLog>map(asked -> new KillableDefinitions.Log(log, asked))
                .orElse(log);
    }

    public Agent in(Committer committer) {
        return points.<Agent>map(asked -> new CommitPlaces.Answered(committer, asked))
                .orElse(committer);
    }

    /** The listeners, and after them the place where all have been told. */
    public List<Committer.Listener> after(List<Committer.Listener> listeners) {
        List<Committer.Listener> all = new ArrayList<>(listeners);
        points.ifPresent(asked -> all.add(new CommitPlaces.Counted(asked)));
        return all;
    }
}
