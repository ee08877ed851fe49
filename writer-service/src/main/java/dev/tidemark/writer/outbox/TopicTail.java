package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.row.RowVersion;

/** The state of commit order according to the newest records of topics. For the relay alone. */
final class TopicTail {
    /** A clock that is further ahead of ours was never that of this writer. */
    private static final Duration MOST_AHEAD = Duration.ofMinutes(1);

    private final Instant now;
    private RowVersion newest = RowVersion.NONE;
    private Instant told;

    /**
     * Nothing was read yet.
     *
     * @param now where commit order stands
     */
    TopicTail(Instant now) {
        this.now = now;
        this.told = now;
    }

    void add(List<ChangeMessage> messages) {
        for (ChangeMessage message : messages) {
            if (message instanceof Heartbeat heartbeat) {
                newest = later(newest, heartbeat.frontier());
                Instant time = heartbeat.completeUpTo();
                told = time.isAfter(told) && time.isBefore(now.plus(MOST_AHEAD)) ? time : told;
            } else if (message instanceof ChangeEvent event) {
                newest = later(newest, event.version());
            }
        }
    }

    /** Returns the highest committed version seen in the topics. */
    RowVersion newest() {
        return newest;
    }

    /** Heartbeats promise readers every change up to this time, so nothing may be committed at it any more. */
    Instant told() {
        return told;
    }

    private static RowVersion later(RowVersion a, RowVersion b) {
        return b.isAfter(a) ? b : a;
    }
}
