package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.Placement;
import dev.tidemark.writer.commit.QueueFullException;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.commit.WritesRefusedException;

/** Has rows committed once more as they are, one group at a time. For the relay alone. */
final class Reemitter {
    private static final long BYTES_OF_A_COMMAND = 1_024;

    private final Committer committer;
    private @Nullable WriteRequest waiting;
    private @Nullable CompletableFuture<List<CommitOutcome>> underWay;
    private long restated;

    Reemitter(Committer committer) {
        this.committer = committer;
    }

    /** Forgets what is under way, which may be committed or not. */
    void startAgain() {
        waiting = null;
        underWay = null;
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
        if (!keys.isEmpty()) {
            List<WriteCommand> commands = keys.stream()
                    .<WriteCommand>map(key -> new WriteCommand.Touch(key, also))
                    .toList();
            waiting = new WriteRequest(table, commands, false, keys.size() * BYTES_OF_A_COMMAND);
        }
    }

    /**
     * Whether all that was taken is committed; never waits.
     *
     * @throws PublishException when it could not be committed
     */
    boolean isDone() throws PublishException, InterruptedException {
        WriteRequest request = waiting;
        if (request != null) {
            handIn(request);
        }
        CompletableFuture<List<CommitOutcome>> commits = underWay;
        if (commits != null && commits.isDone()) {
            try {
                restated += commits.join().size();
                underWay = null;
            } catch (CompletionException e) {
                throw failed(e);
            }
        }
        return waiting == null && underWay == null;
    }

    private void handIn(WriteRequest request) throws PublishException, InterruptedException {
        try {
            underWay = committer.submitOwn(request, Duration.ZERO);
            waiting = null;
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
