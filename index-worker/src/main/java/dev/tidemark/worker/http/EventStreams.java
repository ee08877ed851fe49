package dev.tidemark.worker.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.access.Caller;
import dev.tidemark.http.Call;
import dev.tidemark.http.Feed;
import dev.tidemark.http.FeedPublisher;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.Agent;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/**
 * {@code GET /v1/events}: reports the lag as server-sent events. One thread, {@code events}, writes to all clients and
 * waits for none of them. The number of streams is limited; further clients are refused. Closing this object ends every
 * stream. It must be closed before the server, because the server waits for requests in progress.
 */
public final class EventStreams implements Agent, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(EventStreams.class);
    private static final int MOST = 64;
    private static final Duration USUAL = Duration.ofSeconds(1);
    private static final Duration SHORTEST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    /** A stream without messages for longer sends a comment: else the server takes the client for gone. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    /** So often it is looked whether tokens are still good. */
    private static final Duration CHECK = Duration.ofSeconds(1);

    /** A client that is slow holds a message of about this size. */
    private static final long MESSAGE_BYTES = 64 * 1024;

    /** One token has a quarter of the places at most, so that it cannot keep the others out. */
    private static final int SHARE_OF_ONE = 4;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final byte[] COMMENT = bytes(":\n\n");

    private final Supplier<byte[]> state;
    private final Clock clock;
    private final int most;
    private final int mostOfOne;
    private final Set<EventStream> streams = new HashSet<>();
    private boolean closed;
    private Instant nextComment = Instant.MIN;
    private Instant nextCheck = Instant.MIN;
    private Instant nextTry = Instant.MIN;
    private boolean failing;

    public EventStreams(GroupLag lag, Clock clock) {
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
        this.mostOfOne = Math.max(1, most / SHARE_OF_ONE);
    }

    /** Answers a request with a stream, which ends when the client goes, its token is revoked, or this is closed. */
    void open(Call call) {
        EventStream stream = new EventStream(call.caller().name(), interval(call), call::isStillAllowed, this::forget);
        call.reserve(MESSAGE_BYTES);
        admit(stream);
        call.contentType("text/event-stream;charset=utf-8")
                .header("Cache-Control", "no-cache")
                .header("X-Accel-Buffering", "no")
                .header("Connection", "close");
        // The client learns at once that it is connected.
        stream.sendComment(COMMENT);
        call.result(stream);
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
        if (!now.isBefore(nextCheck)) {
            nextCheck = now.plus(CHECK);
            endRevoked();
        }
        for (EventStream stream : copy()) {
            boolean due = stream.isDue(now);
            message = due && message == null ? message(now) : message;
            if (due && message != null) {
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

    /** The message of now; null where there is none, and it is tried again later. */
    private byte @Nullable [] message(Instant now) {
        if (now.isBefore(nextTry)) {
            return null;
        }
        try {
            byte[] message = messageOf(now);
            failing = false;
            return message;
        } catch (RuntimeException e) {
            nextTry = now.plus(USUAL);
            if (!failing) {
                LOGGER.warn("Clients that follow events get no message, which is tried again", e);
            }
            failing = true;
            return null;
        }
    }

    private byte[] messageOf(Instant now) {
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
                throw tooMany("at most " + most + " clients that follow events");
            }
            long own = streams.stream()
                    .filter(other -> other.caller().equals(stream.caller()))
                    .count();
            if (own >= mostOfOne && !stream.caller().equals(Caller.TRUSTED.name())) {
                throw tooMany("at most " + mostOfOne + " clients that follow events with one token");
            }
            streams.add(stream);
        }
    }

    private static ProblemException tooMany(String expected) {
        return new ProblemException(Problem.retryable(
                        429, "Too many streams", "expected " + expected + "; GET /v1/lag answers once", RETRY_AFTER)
                .typed(ProblemType.TOO_MANY_STREAMS));
    }

    /** A token that was revoked shows nothing from then on. */
    private void endRevoked() {
        copy().stream().filter(stream -> !stream.isStillAllowed()).forEach(EventStream::end);
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

    private static Duration interval(Call call) {
        String text = Requests.parameter(call, "interval").orElse(USUAL.toSeconds() + "s");
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

    /**
     * One client that follows the lag. Nothing here waits for the client: what it is too slow to take is replaced by
     * the next message, so that it costs one message of memory at most.
     *
     * <p>Messages come from the thread {@code events}, readiness from the server's threads.
     */
    static final class EventStream implements FeedPublisher {
        private final String caller;
        private final Duration interval;
        private final BooleanSupplier allowed;
        private final Consumer<EventStream> forget;
        private Instant due = Instant.MIN;
        private byte @Nullable [] waiting;
        private @Nullable Feed feed;
        private boolean writable;
        private boolean over;

        /**
         * A client.
         *
         * @param caller the name of its token
         * @param allowed whether its token is still good
         * @param forget called once, when the stream is over
         */
        EventStream(String caller, Duration interval, BooleanSupplier allowed, Consumer<EventStream> forget) {
            this.caller = caller;
            this.interval = interval;
            this.allowed = allowed;
            this.forget = forget;
        }

        String caller() {
            return caller;
        }

        boolean isStillAllowed() {
            return allowed.getAsBoolean();
        }

        /** Whether it is time for the next message; called by the thread {@code events} only. */
        boolean isDue(Instant now) {
            return !now.isBefore(due);
        }

        /** Sends a message, in place of one that still waits. */
        void send(byte[] message, Instant now) {
            // On the beat of the interval, so that streams of one interval share the work of a message.
            long beat = interval.toMillis();
            due = Instant.ofEpochMilli((Math.floorDiv(now.toEpochMilli(), beat) + 1) * beat);
            put(message, true);
        }

        /** Sends a comment, which clients ignore, unless a message waits anyway. */
        void sendComment(byte[] comment) {
            put(comment, false);
        }

        @Override
        public synchronized void open(Feed opened) {
            feed = opened;
            writable = true;
            if (over) {
                opened.end();
            } else {
                move();
            }
        }

        @Override
        public synchronized void sent() {
            writable = true;
            move();
        }

        @Override
        public void closed() {
            synchronized (this) {
                over = true;
                waiting = null;
            }
            forget.accept(this);
        }

        /** Ends the stream; no more than the first call has an effect. Nothing is written from then on. */
        void end() {
            @Nullable Feed opened;
            synchronized (this) {
                over = true;
                opened = feed;
            }
            if (opened != null) {
                opened.end();
            }
        }

        private synchronized void put(byte[] message, boolean replacing) {
            if (replacing || waiting == null) {
                waiting = message;
            }
            move();
        }

        private void move() {
            while (feed != null && writable && !over && waiting != null) {
                byte[] message = waiting;
                waiting = null;
                writable = false;
                // Where the client takes it at once, this is writable again when the call returns.
                feed.send(message);
            }
        }
    }
}
