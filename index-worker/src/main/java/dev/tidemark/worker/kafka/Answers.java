package dev.tidemark.worker.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.common.KafkaFuture;
import org.jspecify.annotations.Nullable;

/**
 * What brokers answered to several questions that were asked together: each question fails by itself.
 *
 * @param found the answers
 * @param failed why there is none
 */
record Answers<K, T>(Map<K, T> found, Map<K, UnansweredException> failed) {

    /** Waits for all answers at once, so that many that do not come take no longer than one. */
    static <K, T> Answers<K, T> of(Map<K, KafkaFuture<T>> futures, Duration patience) {
        await(futures, patience);
        Map<K, T> found = new HashMap<>();
        Map<K, UnansweredException> failed = new HashMap<>();
        futures.forEach((question, future) -> {
            try {
                found.put(question, answer(future, Duration.ZERO));
            } catch (UnansweredException e) {
                failed.put(question, e);
            }
        });
        return new Answers<>(found, failed);
    }

    /**
     * Waits for one answer.
     *
     * @throws UnansweredException when there is none
     */
    static <T> T answer(KafkaFuture<T> future, Duration patience) {
        try {
            return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new UnansweredException("Expected an answer from the brokers, but " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new UnansweredException("Expected an answer from the brokers, but none came in time", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static <K, T> void await(Map<K, KafkaFuture<T>> futures, Duration patience) {
        try {
            // It ends once all have ended, whether or not some failed.
            KafkaFuture.allOf(futures.values().toArray(KafkaFuture<?>[]::new))
                    .get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // What has not come counts as not answered.
            return;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static UnansweredException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new UnansweredException("Expected an answer from the brokers, but this thread was interrupted", e);
    }

    /** The brokers did not answer a request. A retry may help. */
    static final class UnansweredException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnansweredException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
