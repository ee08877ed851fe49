package dev.tidemark.worker.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.http.ServiceClient;
import dev.tidemark.worker.copy.CopiedFile;
import dev.tidemark.worker.copy.CopyHead;
import dev.tidemark.worker.copy.CopyHolders;
import dev.tidemark.worker.copy.CopyList;
import dev.tidemark.worker.copy.CopyRefusedException;
import dev.tidemark.worker.copy.HeldCopies;
import dev.tidemark.worker.store.ShardId;

/** Takes copies of shards from other workers over HTTP. For any thread, which waits. */
public final class CopyClient implements CopyHolders {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);
    private static final Duration STEP = Duration.ofMillis(500);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final int MOST_LIST_BYTES = 4 << 20;

    private final ServiceClient workers;
    private final Clock clock;
    private final Duration silence;
    private @Nullable HttpClient client;
    private ServiceClient.@Nullable Credentials clientsCredentials;

    /**
     * A client of all workers.
     *
     * @param workers gives the credentials; its address is not used
     * @param silence after which an answer is given up
     */
    public CopyClient(ServiceClient workers, Duration silence, Clock clock) {
        this.workers = workers;
        this.silence = silence;
        this.clock = clock;
    }

    @Override
    public CopyList list(URI worker, ShardId shard, BooleanSupplier goOn)
            throws IOException, CopyRefusedException, InterruptedException {
        HttpRequest.Builder question = workers.to(URI.create(worker + CopyRoutes.COPIES + "?shard=" + shard))
                .POST(HttpRequest.BodyPublishers.noBody());
        Answer answer = ask(question, MOST_LIST_BYTES, goOn);
        if (answer.status != 200) {
            throw refused(answer, answer.isLater() ? Optional.of(answer.retryAfter) : Optional.empty());
        }
        return CopyCodec.list(answer.body());
    }

    @Override
    public byte[] read(URI worker, CopyHead copy, CopiedFile file, long from, BooleanSupplier goOn)
            throws IOException, CopyRefusedException, InterruptedException {
        long to = Math.min(file.bytes(), from + HeldCopies.MOST_BYTES) - 1;
        HttpRequest.Builder question =
                workers.to(path(worker, copy, "/" + file.name())).header("Range", "bytes=" + from + "-" + to);
        Answer answer = ask(question, HeldCopies.MOST_BYTES, goOn);
        if (answer.isLater()) {
            throw refused(answer, Optional.of(answer.retryAfter));
        }
        if (answer.status != 206 || !answer.range.startsWith("bytes " + from + "-")) {
            throw new IOException("expected bytes from " + from + " on, but got " + said(answer));
        }
        return answer.body();
    }

    @Override
    public void release(URI worker, CopyHead copy) {
        HttpRequest question = workers.to(path(worker, copy, "")).DELETE().build();
        // Where it is lost, the copy goes because it is not asked for.
        CompletableFuture<?> unused = client().sendAsync(question, HttpResponse.BodyHandlers.discarding());
    }

    private static URI path(URI worker, CopyHead copy, String file) {
        return URI.create(worker + CopyRoutes.COPIES + "/" + copy.copy() + file);
    }

    /** What a worker answered. */
    private record Answer(int status, Taken taken, String range, Duration retryAfter) {
        byte[] body() {
            return taken.bytes();
        }

        boolean isLater() {
            return status == 429 || status == 503;
        }
    }

    /** Sends a question and takes in the answer, as long as it goes on to come. */
    private Answer ask(HttpRequest.Builder question, int most, BooleanSupplier goOn)
            throws IOException, InterruptedException {
        Taken taken = new Taken(most, clock);
        CompletableFuture<HttpResponse<Void>> answer = client().sendAsync(
                        question.build(),
                        HttpResponse.BodyHandlers.ofByteArrayConsumer(piece -> piece.ifPresent(taken::add)));
        try {
            while (true) {
                try {
                    HttpResponse<Void> whole = answer.get(STEP.toMillis(), TimeUnit.MILLISECONDS);
                    return new Answer(
                            whole.statusCode(),
                            taken,
                            whole.headers().firstValue("Content-Range").orElse(""),
                            retryAfter(whole));
                } catch (TimeoutException e) {
                    if (!goOn.getAsBoolean() || taken.silence().compareTo(silence) > 0) {
                        throw new IOException("expected an answer that goes on, but nothing came for long enough", e);
                    }
                }
            }
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } finally {
            answer.cancel(true);
        }
    }

    private static Duration retryAfter(HttpResponse<?> answer) {
        try {
            return answer.headers()
                    .firstValue("Retry-After")
                    .map(Long::valueOf)
                    .map(Duration::ofSeconds)
                    .orElse(RETRY_AFTER);
        } catch (NumberFormatException e) {
            return RETRY_AFTER;
        }
    }

    private static CopyRefusedException refused(Answer answer, Optional<Duration> retryAfter) {
        return new CopyRefusedException(said(answer), retryAfter);
    }

    private static String said(Answer answer) {
        return "status " + answer.status
                + PeerClient.tree(answer.body())
                        .map(problem -> ": " + problem.path("detail").asText())
                        .orElse("");
    }

    /** The client, made again when what it trusts and shows has changed. */
    private synchronized HttpClient client() {
        ServiceClient.Credentials credentials = workers.credentials();
        HttpClient present = client;
        if (present == null || !credentials.equals(clientsCredentials)) {
            present = credentials.newClient(CONNECT_PATIENCE);
            client = present;
            clientsCredentials = credentials;
        }
        return present;
    }

    /** What has come of an answer. */
    private static final class Taken {
        private final int most;
        private final Clock clock;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Instant last;

        Taken(int most, Clock clock) {
            this.most = most;
            this.clock = clock;
            this.last = clock.instant();
        }

        synchronized void add(byte[] piece) {
            if (bytes.size() + piece.length > most) {
                throw new IllegalStateException("expected at most " + most + " bytes");
            }
            bytes.writeBytes(piece);
            last = clock.instant();
        }

        synchronized byte[] bytes() {
            return bytes.toByteArray();
        }

        synchronized Duration silence() {
            return Duration.between(last, clock.instant());
        }
    }
}
