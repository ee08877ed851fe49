package dev.tidemark.deploy.simulation;

import java.util.Optional;

import dev.tidemark.writer.outbox.EventPublisher.Shard;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicTailReader;

/** Breaks {@link Rule#UNACKNOWLEDGED_RECORDS_HIDE_NO_LOSS}: whatever was acknowledged seems to be where it was. */
record TrustingTails(TopicTailReader tails) implements TopicTailReader {
    @Override
    public Piece read(Shard shard, long from, long end) throws PublishException, InterruptedException {
        return tails.read(shard, from, end);
    }

    @Override
    public Optional<Found> first(Shard shard, long offset) {
        return Optional.empty();
    }

    @Override
    public void release() {
        tails.release();
    }
}
