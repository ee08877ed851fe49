package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.Placement;
import dev.tidemark.writer.commit.QueueFullException;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.commit.WritesRefusedException;

/** Has rows committed once more as they are, some at a time. For the relay alone. */
final class Reemitter {
    private static final long BYTES_OF_A_COMMAND = 1_024;

    /** The committer bounds a batch between requests, and only there: it does not know how large a stored row is. */
    private static final int KEYS_OF_A_REQUEST = 4;

    private final Committer committer;
    private final Deque<WriteRequest> waiting = new ArrayDeque<>();
    private final Deque<CompletableFuture<List<CommitOutcome>>> underWay = new ArrayDeque<>();
    private long restated;

    Reemitter(Committer committer) {
        this.committer = committer;
    }

    /** Forgets what is under way, which may be committed or not. */
    void startAgain() {
        waiting.clear();
        underWay.clear();
    }

    /** How many rows were committed once more. */
    long restated() {
        return restated;
    }

    /**
     * Takes rows, by key; to be called only when {@link #isDone()}.
     *
     * @param also partitions of derived tables that learn of them whether they hold them or not
     */
    void begin(String table, Collection<KeyBytes> keys, List<Placement> also) {
        List<WriteCommand> commands = new ArrayList<>();
        for (KeyBytes key : keys) {
            commands.add(new WriteCommand.Touch(key, also));
            if (commands.size() == KEYS_OF_A_REQUEST) {
                waiting.add(request(table, commands));
                commands.clear();
            }
        }
        if (!commands.isEmpty()) {
            waiting.add(request(table, commands));
        }
    }

    private static WriteRequest request(String table, List<WriteCommand> commands) {
        return new WriteRequest(table, commands, false, commands.size() * BYTES_OF_A_COMMAND);
    }

    /**
     * Whether all that was taken is committed; never waits.
     *
     * @throws PublishException when it could not be committed
     */
    boolean isDone() throws PublishException, InterruptedException {
        handIn();
        for (var next = underWay.peek(); next != null && next.isDone(); next = underWay.peek()) {
            try {
                restated += next.join().size();
                underWay.remove();
            } catch (CompletionException e) {
                throw failed(e);
            }
        }
        return waiting.isEmpty() && underWay.isEmpty();
    }

    private void handIn() throws PublishException, InterruptedException {
        try {
            for (WriteRequest next = waiting.peek(); next != null; next = waiting.peek()) {
                underWay.add(committer.submitOwn(next, Duration.ZERO));
                waiting.remove();
            }
        } catch (QueueFullException e) {
            // Clients are first; the next step tries again.
            return;
        } catch (WritesRefusedException e) {
            throw failed(e);
        }
    }

    private static PublishException failed(Exception e) {
        return new PublishException("rows cannot be committed once more at the moment: " + e.getMessage(), e);
    }
}
