package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

import com.fasterxml.jackson.databind.JsonNode;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpMethod;
import org.jspecify.annotations.Nullable;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.TreeSize;
import dev.tidemark.worker.query.GroupQueries;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.NoMemoryException;
import dev.tidemark.worker.query.PageMemory;
import dev.tidemark.worker.query.PeerAnswer;
import dev.tidemark.worker.query.PeerShards;

/** Reads from shards of other workers over HTTP. For any thread. */
public final class PeerClient implements PeerShards {
    /** A worker that waits for its part of a demand answers after that; this is for the way. */
    private static final Duration GRACE = Duration.ofMillis(500);

    /** An entry takes at most about twice what an answer may hold of content. */
    private static final int MOST_BYTES = 32 << 20;

    private static final Duration READ_PATIENCE = Duration.ofSeconds(1);
    private static final int MOST_READ_BYTES = 4 << 20;
    private static final int OK = 200;

    private final ServiceConnection workers;
    private final MemoryBudget.Part pages;

    /**
     * A client of all workers.
     *
     * @param workers gives the credentials; its address is not used
     * @param pages the memory for answers
     */
    public PeerClient(ServiceConnection workers, MemoryBudget.Part pages) {
        this.workers = workers;
        this.pages = pages;
    }

    @Override
    public CompletableFuture<PeerAnswer> ask(URI worker, IndexQuery part) {
        PageMemory room;
        try {
            room = PageMemory.open(pages);
        } catch (NoMemoryException e) {
            return CompletableFuture.completedFuture(new PeerAnswer.NotAnswerable(String.valueOf(e.getMessage())));
        }
        Request question = workers.to(URI.create(worker + PeerRoutes.ENTRIES))
                .method(HttpMethod.POST)
                .timeout(part.demand().patience().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
                .body(ServiceConnection.json(PeerCodec.question(part)));
        ServiceConnection.Pending pending = workers.begin(question, bytes -> take(room, bytes), MOST_BYTES);
        return new Asked(pending, room, part);
    }

    /** As {@link GroupQueries.Timer#after}. */
    public Runnable after(Duration time, Runnable task) {
        return workers.after(time, task);
    }

    /**
     * Passes a call of a client on.
     *
     * @param path with the query as the client sent it, which servers take also where it is no valid URI
     * @param memory reserves a number of bytes for the answer, or throws
     */
    ServiceConnection.Pending pass(URI worker, String path, boolean readsRows, LongConsumer memory) {
        Request question = workers.to(worker)
                .path(worker.getRawPath() + path)
                .headers(headers ->
                        headers.put(OwnerCalls.HOP, "1").put(OwnerCalls.READS_ROWS, Boolean.toString(readsRows)));
        return workers.begin(question, memory, MOST_BYTES);
    }

    /** What a worker says of itself at a path; empty when it does not answer soon. */
    CompletableFuture<Optional<JsonNode>> read(URI worker, String path) {
        return reply(worker, path).thenApply(Reply::said);
    }

    /**
     * What a worker says at a path where that may be much; empty when it does not answer soon.
     *
     * @param memory reserves a number of bytes for the answer, or throws; then it is empty
     */
    CompletableFuture<Optional<JsonNode>> read(URI worker, String path, LongConsumer memory) {
        return reply(workers.to(URI.create(worker + path)), memory, MOST_BYTES).thenApply(Reply::said);
    }

    /**
     * What a worker says of itself, or why it does not.
     *
     * @param trouble what is wrong, following the worker's address in a sentence; empty when it answers
     */
    record Reply(Optional<JsonNode> said, String trouble) {}

    /** What a worker says of itself at a path, or why it does not soon. */
    CompletableFuture<Reply> reply(URI worker, String path) {
        return reply(workers.to(URI.create(worker + path)), bytes -> {}, MOST_READ_BYTES);
    }

    private CompletableFuture<Reply> reply(Request question, LongConsumer memory, int most) {
        // The client's own patience closes the connection to a worker that is silent.
        question.timeout(READ_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return workers.begin(question, memory, most)
                .answer()
                .thenApply(response -> {
                    memory.accept(TreeSize.mostBytes(response.body()));
                    return reply(response);
                })
                .exceptionally(failure -> unheard(failure.getCause()));
    }

    private static Reply reply(ServiceConnection.Answer response) {
        Optional<JsonNode> said = tree(response.body()).filter(json -> response.status() == OK);
        return switch (response.status()) {
            case OK -> new Reply(said, said.isPresent() ? "" : "does not answer as a worker");
            case 401, 403 -> new Reply(said, "refuses this worker's peer token: give its token the scope peer");
            default -> new Reply(said, "answers with status " + response.status());
        };
    }

    private static Reply unheard(@Nullable Throwable failure) {
        return new Reply(
                Optional.empty(),
                failure instanceof TimeoutException
                        ? "does not answer within " + READ_PATIENCE.toSeconds() + " s"
                        : "cannot be reached at its advertised URL");
    }

    /** What a worker answers to an order that has a body; empty when it does not soon, or refuses. */
    CompletableFuture<Optional<JsonNode>> order(URI worker, String path, JsonNode body) {
        Request question =
                workers.to(URI.create(worker + path)).method(HttpMethod.POST).body(ServiceConnection.json(body));
        return reply(question, bytes -> {}, MOST_READ_BYTES).thenApply(Reply::said);
    }

    /** A JSON object; empty where the bytes are none. */
    static Optional<JsonNode> tree(byte[] json) {
        try {
            return Optional.of(RowJson.mapper().readTree(json)).filter(JsonNode::isObject);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void take(PageMemory room, long bytes) {
        if (!room.takeRow(Math.toIntExact(bytes))) {
            throw new IllegalStateException("Expected memory for an answer", new NoMemoryException());
        }
    }

    private static PeerAnswer answer(ServiceConnection.Answer response, IndexQuery part, PageMemory room) {
        try {
            return switch (response.status()) {
                case 200 -> new PeerAnswer.Found(PeerCodec.answer(response.body(), part, room));
                case 410 -> new PeerAnswer.LostToken(detail(response));
                case 421 -> new PeerAnswer.NotHeld(detail(response));
                case 425 -> new PeerAnswer.NotServing(detail(response));
                default -> new PeerAnswer.NotAnswerable(detail(response));
            };
        } catch (IOException e) {
            return new PeerAnswer.Unreachable(String.valueOf(e.getMessage()));
        } catch (NoMemoryException e) {
            return new PeerAnswer.NotAnswerable(String.valueOf(e.getMessage()));
        }
    }

    /** Why a worker refuses, in its own words. */
    static String detail(ServiceConnection.Answer response) {
        return tree(response.body())
                .flatMap(problem -> Optional.ofNullable(problem.path("detail").textValue()))
                .orElse("it answered with status " + response.status());
    }

    /** A part of a question that another worker was asked. Cancelling it gives the memory of its answer back. */
    private static final class Asked extends CompletableFuture<PeerAnswer> {
        private final ServiceConnection.Pending pending;
        private final PageMemory room;
        private final CompletableFuture<Boolean> taken;

        Asked(ServiceConnection.Pending pending, PageMemory room, IndexQuery part) {
            this.pending = pending;
            this.room = room;
            this.taken = pending.answer()
                    .handle((response, failure) -> take(
                            response == null
                                    ? new PeerAnswer.Unreachable(CallFailures.words(failure))
                                    : answer(response, part, room)));
        }

        private boolean take(PeerAnswer read) {
            if (!(read instanceof PeerAnswer.Found)) {
                giveUp();
            }
            return complete(read);
        }

        private void giveUp() {
            pending.giveUp();
            room.close();
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            boolean cancelled = super.cancel(mayInterrupt);
            if (cancelled) {
                giveUp();
            }
            return cancelled || taken.isDone();
        }
    }
}
