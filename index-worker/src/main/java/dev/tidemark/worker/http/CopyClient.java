package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;

import dev.tidemark.worker.copy.CopiedFile;
import dev.tidemark.worker.copy.CopyHead;
import dev.tidemark.worker.copy.CopyHolders;
import dev.tidemark.worker.copy.CopyList;
import dev.tidemark.worker.copy.CopyRefusedException;
import dev.tidemark.worker.copy.HeldCopies;
import dev.tidemark.worker.store.ShardId;

/** Takes copies of shards from other workers over HTTP. For any thread, which waits. */
public final class CopyClient implements CopyHolders {
    private static final Duration STEP = Duration.ofMillis(500);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final int MOST_LIST_BYTES = 4 << 20;

    private final ServiceConnection workers;
    private final Clock clock;
    private final Duration silence;

    /**
     * A client of all workers.
     *
     * @param workers gives the credentials; its address is not used
     * @param silence after which an answer is given up
     */
    public CopyClient(ServiceConnection workers, Duration silence, Clock clock) {
        this.workers = workers;
        this.silence = silence;
        this.clock = clock;
    }

    @Override
    public CopyList list(URI worker, ShardId shard, BooleanSupplier goOn)
            throws IOException, CopyRefusedException, InterruptedException {
        Request question = workers.to(URI.create(worker + CopyRoutes.COPIES + "?shard=" + shard))
                .method(HttpMethod.POST);
        ServiceConnection.Answer answer = ask(question, MOST_LIST_BYTES, goOn);
        if (answer.status() != 200) {
            throw refused(answer);
        }
        return CopyCodec.list(answer.body());
    }

    @Override
    public byte[] read(URI worker, CopyHead copy, CopiedFile file, long from, BooleanSupplier goOn)
            throws IOException, CopyRefusedException, InterruptedException {
        long to = Math.min(file.bytes(), from + HeldCopies.MOST_BYTES) - 1;
        Request question = workers.to(path(worker, copy, "/" + file.name()))
                .headers(headers -> headers.put(HttpHeader.RANGE, "bytes=" + from + "-" + to));
        ServiceConnection.Answer answer = ask(question, HeldCopies.MOST_BYTES, goOn);
        if (isLater(answer)) {
            throw refused(answer);
        }
        String range = answer.header(HttpHeader.CONTENT_RANGE).orElse("");
        if (answer.status() != 206 || !range.startsWith("bytes " + from + "-")) {
            throw new IOException("expected bytes from " + from + " on, but got " + said(answer));
        }
        return answer.body();
    }

    /** Where this is lost, the copy goes because it is not asked for. */
    @Override
    public void release(URI worker, CopyHead copy) {
        Request question = workers.to(path(worker, copy, "")).method(HttpMethod.DELETE);
        workers.begin(question, bytes -> {}, MOST_LIST_BYTES);
    }

    private static URI path(URI worker, CopyHead copy, String file) {
        return URI.create(worker + CopyRoutes.COPIES + "/" + copy.copy() + file);
    }

    private static boolean isLater(ServiceConnection.Answer answer) {
        return answer.status() == 429 || answer.status() == 503;
    }

    /** Sends a question and takes in the answer, as long as it goes on to come. */
    private ServiceConnection.Answer ask(Request question, int most, BooleanSupplier goOn)
            throws IOException, InterruptedException {
        AtomicReference<Instant> last = new AtomicReference<>(clock.instant());
        ServiceConnection.Pending pending = workers.begin(question, bytes -> last.set(clock.instant()), most);
        try {
            while (true) {
                try {
                    return pending.answer().get(STEP.toMillis(), TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    Duration silent = Duration.between(Objects.requireNonNull(last.get()), clock.instant());
                    if (!goOn.getAsBoolean() || silent.compareTo(silence) > 0) {
                        throw new IOException("expected an answer that goes on, but nothing came for long enough", e);
                    }
                }
            }
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } finally {
            pending.giveUp();
        }
    }

    private static Duration retryAfter(ServiceConnection.Answer answer) {
        try {
            return answer.header(HttpHeader.RETRY_AFTER)
                    .map(Long::valueOf)
                    .map(Duration::ofSeconds)
                    .orElse(RETRY_AFTER);
        } catch (NumberFormatException e) {
            return RETRY_AFTER;
        }
    }

    private static CopyRefusedException refused(ServiceConnection.Answer answer) {
        return new CopyRefusedException(
                said(answer), isLater(answer) ? Optional.of(retryAfter(answer)) : Optional.empty());
    }

    private static String said(ServiceConnection.Answer answer) {
        return "status " + answer.status()
                + PeerClient.tree(answer.body())
                        .map(problem -> ": " + problem.path("detail").asText())
                        .orElse("");
    }
}
