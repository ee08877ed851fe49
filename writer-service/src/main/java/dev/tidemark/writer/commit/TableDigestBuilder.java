package dev.tidemark.writer.commit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;

/**
 * Adds up whole tables for new generations, on the thread {@code fact-digests}, one table after the other. It rests
 * after each piece, because writes and their readers need the same processor and no caller waits for the digests.
 */
public final class TableDigestBuilder implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(TableDigestBuilder.class);
    private static final int PIECE_ROWS = 4_000;

    private final Queue<TableDigestScan> waiting = new ConcurrentLinkedQueue<>();
    private final Queue<TableDigestScan> ended = new ConcurrentLinkedQueue<>();
    private @Nullable TableDigestScan current;

    @Override
    public String roleName() {
        return "fact-digests";
    }

    /** A piece; always 0, so that the thread rests. */
    @Override
    public int doWork() {
        TableDigestScan sum = current == null ? waiting.poll() : current;
        current = sum;
        if (sum != null && !goesOn(sum)) {
            end(sum);
        }
        return 0;
    }

    @Override
    public void onClose() {
        TableDigestScan sum = current;
        if (sum != null) {
            end(sum);
        }
        for (TableDigestScan left = waiting.poll(); left != null; left = waiting.poll()) {
            left.close();
        }
    }

    /** Hands over a sum to be made. Committer. */
    void begin(TableDigestScan sum) {
        waiting.add(sum);
    }

    /** A sum that has come to an end, each once; null when there is none. Committer. */
    @Nullable
    TableDigestScan takeEnded() {
        return ended.poll();
    }

    private static boolean goesOn(TableDigestScan sum) {
        try {
            return sum.step(PIECE_ROWS);
        } catch (RuntimeException e) {
            LOGGER.warn("A table cannot be added up for its digests", e);
            return false;
        }
    }

    private void end(TableDigestScan sum) {
        current = null;
        sum.close();
        ended.add(sum);
    }
}
