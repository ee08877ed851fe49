package dev.tidemark.writer.commit;

import java.time.Duration;
import java.util.List;

/**
 * Several listeners as one.
 *
 * @param members notified in this order
 */
public record CommitListeners(List<Committer.Listener> members) implements Committer.Listener {
    public CommitListeners {
        members = List.copyOf(members);
    }

    @Override
    public void committed(FactBatch batch, Duration took) {
        members.forEach(member -> member.committed(batch, took));
    }

    @Override
    public void frontierMoved() {
        members.forEach(Committer.Listener::frontierMoved);
    }

    @Override
    public void promised(CommitPosition place) {
        members.forEach(member -> member.promised(place));
    }

    @Override
    public void waited(Duration time) {
        members.forEach(member -> member.waited(time));
    }
}
