package dev.tidemark.worker.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.Agent;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/**
 * {@code GET /v1/events}: the lag as server-sent events. One thread, {@code events}, writes to all clients and waits for
 * none of them. There are so many streams at most; further clients are refused. Closing it ends every stream, which must
 * come before the server closes, because that waits for requests under way.
 */
public final class EventStreams implements Agent, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(EventStreams.class);
    private static final int MOST = 64;
    private static final Duration USUAL = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** A stream without messages for longer sends a comment: else the server takes the client for gone. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final byte[] COMMENT = bytes(":\n\n");

    private final Supplier<byte[]> state;
    private final Clock clock;
    private final int most;
    private final Set<EventStream> streams = new HashSet<>();
    private boolean closed;
    private Instant nextComment = Instant.MIN;

    public EventStreams(LagJson lag, Clock clock) {
        this(() -> RowJson.write(lag.lag()), clock, MOST);
    }

    /**
     * Streams of something.
     *
     * @param state what is sent, JSON without line breaks
     */
    EventStreams(Supplier<byte[]> state, Clock clock, int most) {
        this.state = state;
        this.clock = clock;
        this.most = most;
    }

    /** Answers a request with a stream, which ends when the client goes or this is closed. */
    void open(Context context) throws IOException {
        Duration interval = interval(context);
        ServletOutputStream out = context.res().getOutputStream();
        EventStream stream = new EventStream(out, interval);
        admit(stream);
        context.req().startAsync().setTimeout(0);
        context.future(() -> stream.ended().whenComplete((done, failure) -> forget(stream)));
        context.res().setContentType("text/event-stream");
        context.res().setCharacterEncoding("utf-8");
        context.header("Cache-Control", "no-cache")
                .header("X-Accel-Buffering", "no")
                .header("Connection", "close");
        out.setWriteListener(stream);
        // The client learns at once that it is connected.
        stream.sendComment(COMMENT);
    }

    @Override
    public String roleName() {
        return "events";
    }

    @Override
    public int doWork() {
        Instant now = clock.instant();
        byte @Nullable [] message = null;
        int sent = 0;
        boolean comment = !now.isBefore(nextComment);
        for (EventStream stream : copy()) {
            if (stream.isDue(now)) {
                message = message == null ? message(now) : message;
                stream.send(message, now);
                sent++;
            } else if (comment) {
                stream.sendComment(COMMENT);
            }
        }
        nextComment = comment ? now.plus(QUIET) : nextComment;
        return sent;
    }

    /** Ends every stream, and refuses new ones. */
    @Override
    public void close() {
        synchronized (streams) {
            closed = true;
        }
        copy().forEach(EventStream::end);
    }

    /** How many clients follow. */
    int size() {
        return copy().size();
    }

    private byte[] message(Instant now) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        // The time of the message is its name, so that the page need not trust its own clock.
        text.writeBytes(bytes("retry: 2000\nid: " + now.toEpochMilli() + "\nevent: lag\ndata: "));
        text.writeBytes(state.get());
        text.writeBytes(bytes("\n\n"));
        return text.toByteArray();
    }

    private void admit(EventStream stream) {
        synchronized (streams) {
            if (closed) {
                throw new ProblemException(
                        Problem.retryable(503, "Not answerable now", "the worker is stopping", RETRY_AFTER));
            }
            if (streams.size() >= most) {
                throw new ProblemException(Problem.retryable(
                                429,
                                "Too many streams",
                                "expected at most " + most + " clients that follow events; GET /v1/lag answers once",
                                RETRY_AFTER)
                        .typed(ProblemType.TOO_MANY_STREAMS));
            }
            streams.add(stream);
        }
    }

    private void forget(EventStream stream) {
        synchronized (streams) {
            streams.remove(stream);
        }
    }

    private List<EventStream> copy() {
        synchronized (streams) {
            return List.copyOf(streams);
        }
    }

    private static Duration interval(Context context) {
        String text = Requests.parameter(context, "interval").orElse(USUAL.toSeconds() + "s");
        try {
            Duration interval = Durations.parse(text);
            if (interval.compareTo(SHORTEST) >= 0 && interval.compareTo(LONGEST) <= 0) {
                return interval;
            }
        } catch (BadSettingsException e) {
            LOGGER.debug("Not a duration", e);
        }
        throw new ProblemException(
                Problem.badRequest("expected parameter interval to be from 200ms to 60s, but got " + text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
