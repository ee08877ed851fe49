package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

import org.jspecify.annotations.Nullable;

import dev.tidemark.http.ProblemException;
import dev.tidemark.http.ServiceClient;

/** The way to another service, for those who ask it something. For any thread. */
final class ServiceConnection {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    private final ServiceClient peer;
    private @Nullable HttpClient client;
    private ServiceClient.@Nullable Credentials clientsCredentials;

    /** A connection that is made with the first question. */
    ServiceConnection(ServiceClient peer) {
        this.peer = peer;
    }

    /** A question about a path, which begins with a slash and may have a query. */
    HttpRequest.Builder at(String path) {
        return peer.at(path);
    }

    /** A question to another service that takes the same token. */
    HttpRequest.Builder to(URI address) {
        return peer.to(address);
    }

    /**
     * The answer with its whole body.
     *
     * @param turn at the end of which the answer must be whole, and which reserves memory for it
     * @param most bytes of its body
     * @throws AnswerTooLongException when the body is longer
     * @throws IOException when there is no whole answer in time
     * @throws ProblemException when the turn has no memory for it
     */
    HttpResponse<byte[]> send(HttpRequest.Builder question, WriterCallLimit.Turn turn, int most)
            throws IOException, InterruptedException {
        Pending pending = begin(question, turn::reserve, most);
        try {
            // The client's own limit of time ends with the head of an answer.
            return pending.answer().get(turn.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("expected a whole answer in time");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AnswerTooLongException tooLong) {
                throw tooLong;
            }
            if (e.getCause() instanceof ProblemException refused) {
                throw refused;
            }
            throw new IOException(String.valueOf(e.getCause()), e);
        } finally {
            pending.giveUp();
        }
    }

    /**
     * Sends a question and does not wait.
     *
     * @param memory reserves a number of bytes, or throws; then the answer fails with that
     * @param most bytes of the body; a longer one fails with a {@link AnswerTooLongException}
     */
    Pending begin(HttpRequest.Builder question, LongConsumer memory, int most) {
        BoundedBody body = new BoundedBody(most, memory);
        return new Pending(client().sendAsync(question.build(), head -> body), body::giveUp);
    }

    /**
     * An answer that is awaited.
     *
     * @param abandon takes in nothing more of it
     */
    record Pending(CompletableFuture<HttpResponse<byte[]>> answer, Runnable abandon) {
        /** Closes the connection, unless the answer is whole. */
        void giveUp() {
            answer.cancel(true);
            abandon.run();
        }
    }

    /** The address, as in messages. */
    @Override
    public String toString() {
        return peer.toString();
    }

    /** The client, made again when what it trusts and shows has changed. */
    private synchronized HttpClient client() {
        ServiceClient.Credentials credentials = peer.credentials();
        HttpClient present = client;
        if (present == null || !credentials.equals(clientsCredentials)) {
            present = credentials.newClient(CONNECT_PATIENCE);
            client = present;
            clientsCredentials = credentials;
        }
        return present;
    }

    /** Takes in the body of an answer up to a number of bytes, for which memory is reserved as they come. */
    private static final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
        /** A body is held as it comes and as a whole. */
        private static final long COPIES = 2;

        private final int most;
        private final LongConsumer memory;
        private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        private final List<ByteBuffer> pieces = new ArrayList<>();
        private Flow.@Nullable Subscription source;
        private boolean given;
        private int length;

        /**
         * An empty body.
         *
         * @param most maximum length in bytes; a longer body fails with a {@link AnswerTooLongException}
         * @param memory reserves a number of bytes; the body fails with what it throws
         */
        BoundedBody(int most, LongConsumer memory) {
            this.most = most;
            this.memory = memory;
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return whole;
        }

        @Override
        public synchronized void onSubscribe(Flow.Subscription subscription) {
            source = subscription;
            if (given) {
                subscription.cancel();
            } else {
                subscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public synchronized void onNext(List<ByteBuffer> more) {
            if (given) {
                return;
            }
            int before = length;
            more.forEach(piece -> length += piece.remaining());
            try {
                if (length > most) {
                    throw new AnswerTooLongException(most);
                }
                memory.accept(COPIES * (length - before));
                pieces.addAll(more);
            } catch (AnswerTooLongException | RuntimeException e) {
                giveUp();
                whole.completeExceptionally(e);
            }
        }

        @Override
        public synchronized void onError(Throwable failure) {
            pieces.clear();
            whole.completeExceptionally(failure);
        }

        @Override
        public synchronized void onComplete() {
            byte[] bytes = new byte[length];
            int place = 0;
            for (ByteBuffer piece : pieces) {
                int here = piece.remaining();
                piece.get(bytes, place, here);
                place += here;
            }
            pieces.clear();
            whole.complete(bytes);
        }

        /** Takes in nothing more, which closes the connection unless the body is whole. */
        synchronized void giveUp() {
            given = true;
            pieces.clear();
            if (source != null) {
                source.cancel();
            }
        }
    }
}
