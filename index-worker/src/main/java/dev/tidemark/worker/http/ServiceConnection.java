package dev.tidemark.worker.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

import com.fasterxml.jackson.databind.JsonNode;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpHeader;

import dev.tidemark.http.ProblemException;
import dev.tidemark.http.ServiceCaller;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.RowJson;

/**
 * The way to other services, for those who ask them something and wait for the whole answer. For any thread.
 *
 * <p>A question to a service with several addresses goes on to the next one where the service does not answer, or
 * answers that it cannot now. One that changes something does so only where it certainly was not sent.
 */
public final class ServiceConnection implements AutoCloseable {
    private static final int UNAVAILABLE = 503;

    private final ServiceClient service;
    private final ServiceCaller caller;

    /** A connection that is made with the first question. */
    public ServiceConnection(ServiceClient service) {
        this.service = service;
        this.caller = new ServiceCaller(service);
    }

    /** The service itself. */
    public ServiceClient service() {
        return service;
    }

    /** A question to another service that takes the same token. */
    Request to(URI address) {
        return caller.to(address);
    }

    /** As {@link ServiceCaller#after}. */
    Runnable after(Duration time, Runnable task) {
        return caller.after(time, task);
    }

    /** JSON as the body of a question. */
    static Request.Content json(JsonNode json) {
        return new BytesRequestContent("application/json", RowJson.write(json));
    }

    /**
     * The answer with its whole body.
     *
     * @param question asked at each address in turn
     * @param turn at the end of which the answer must be whole, and which reserves memory for it
     * @param most bytes of its body
     * @throws AnswerTooLongException when the body is longer
     * @throws IOException when there is no whole answer in time
     * @throws ProblemException when the turn has no memory for it
     */
    Answer send(Question question, WriterCallLimit.Turn turn, int most) throws IOException, InterruptedException {
        for (int left = service.count(); ; left--) {
            URI address = service.address(question.path());
            try {
                Answer answer = ask(address, question, turn, most, question.repeatable() ? left : 1);
                if (left == 1 || answer.status() != UNAVAILABLE || !question.repeatable()) {
                    return answer;
                }
                service.avoid(address);
            } catch (AnswerTooLongException e) {
                throw e;
            } catch (IOException e) {
                service.avoid(address);
                if (left == 1 || !(question.repeatable() || e instanceof ConnectException)) {
                    throw e;
                }
            }
        }
    }

    /** Asks at one address, within a part of what is left of the turn. */
    private Answer ask(URI address, Question question, WriterCallLimit.Turn turn, int most, int parts)
            throws IOException, InterruptedException {
        Pending pending = begin(request(address, question), turn::reserve, most);
        try {
            return pending.answer().get(turn.left().dividedBy(parts).toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException("expected a whole answer in time");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AnswerTooLongException tooLong) {
                throw tooLong;
            }
            if (e.getCause() instanceof ConnectException refused) {
                throw refused;
            }
            if (e.getCause() instanceof ProblemException refused) {
                throw refused;
            }
            throw new IOException(CallFailures.words(e), e);
        } finally {
            pending.giveUp();
        }
    }

    private Request request(URI address, Question question) {
        Request request = to(address).method(question.method());
        question.body().ifPresent(body -> request.body(json(body)));
        question.ifMatch().ifPresent(tag -> request.headers(headers -> headers.put(HttpHeader.IF_MATCH, tag)));
        return request;
    }

    /**
     * Sends a question and does not wait.
     *
     * @param memory reserves a number of bytes, or throws; then the answer fails with that
     * @param most bytes of the body; a longer one fails with a {@link AnswerTooLongException}
     */
    Pending begin(Request question, LongConsumer memory, int most) {
        BoundedBody body = new BoundedBody(most, memory);
        question.send(body);
        return new Pending(body.whole, question);
    }

    /**
     * An answer that is awaited.
     *
     * @param question what is asked
     */
    record Pending(CompletableFuture<Answer> answer, Request question) {
        /** Closes the connection, unless the answer is whole. */
        void giveUp() {
            if (answer.cancel(true)) {
                CompletableFuture<Boolean> unused =
                        question.abort(new CancellationException("the answer is not awaited any more"));
            }
        }
    }

    /** An answer as a whole. */
    static final class Answer {
        private final Response head;
        private final byte[] body;

        private Answer(Response head, byte[] body) {
            this.head = head;
            this.body = body;
        }

        int status() {
            return head.getStatus();
        }

        /** The first header of a name. */
        Optional<String> header(HttpHeader name) {
            return Optional.ofNullable(head.getHeaders().get(name));
        }

        byte[] body() {
            return body;
        }
    }

    /** The address, as in messages. */
    @Override
    public String toString() {
        return service.toString();
    }

    /** Gives up what is under way, and takes no more questions. */
    @Override
    public void close() {
        caller.close();
    }

    /** Takes in the body of an answer up to a number of bytes, for which memory is reserved as they come. */
    private static final class BoundedBody implements Response.Listener {
        /** A body is held as it comes and as a whole. */
        private static final long COPIES = 2;

        private final int most;
        private final LongConsumer memory;
        private final CompletableFuture<Answer> whole = new CompletableFuture<>();
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream(1 << 10);

        BoundedBody(int most, LongConsumer memory) {
            this.most = most;
            this.memory = memory;
        }

        @Override
        public void onContent(Response response, ByteBuffer more) {
            int length = more.remaining();
            try {
                if (length > most - taken.size()) {
                    throw new AnswerTooLongException(most);
                }
                memory.accept(COPIES * length);
            } catch (AnswerTooLongException | RuntimeException e) {
                whole.completeExceptionally(e);
                throw new IllegalStateException("Expected an answer that can be taken", e);
            }
            byte[] piece = new byte[length];
            more.get(piece);
            taken.write(piece, 0, length);
        }

        @Override
        public void onComplete(Result result) {
            if (result.isFailed()) {
                whole.completeExceptionally(result.getFailure());
            } else {
                whole.complete(new Answer(result.getResponse(), taken.toByteArray()));
            }
        }
    }
}
