package dev.tidemark.deploy.drill.hostile;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Asks a service again and again whether it is alive, and measures how long the answers take. Never waits. For one
 * thread.
 */
final class HealthWatch implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String ANSWER = "HTTP/1.1 200";

    private final InetSocketAddress service;
    private final byte[] request;
    private final List<Duration> times = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocate(1_024);
    private @Nullable SocketChannel channel;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private Instant asked = Instant.MIN;
    private Instant next = Instant.MIN;

    HealthWatch(InetSocketAddress service) {
        this.service = service;
        String host = service.getHostString() + ":" + service.getPort();
        this.request = ("GET /health/live HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    void tick(Instant now) {
        try {
            SocketChannel open = channel;
            if (open == null) {
                ask(now);
            } else if (open.finishConnect()) {
                open.write(out);
                if (open.read(in) < 0 || in.position() >= ANSWER.length()) {
                    answered(now);
                }
            }
        } catch (IOException e) {
            // A connection that is refused is a service that was killed: others judge that.
            abandon(now);
        }
    }

    /** The time of each answer. */
    List<Duration> times() {
        return List.copyOf(times);
    }

    /** How long the present question waits; zero where there is none. */
    Duration waiting(Instant now) {
        return channel == null ? Duration.ZERO : Duration.between(asked, now);
    }

    private void ask(Instant now) throws IOException {
        if (now.isBefore(next)) {
            return;
        }
        asked = now;
        out = ByteBuffer.wrap(request);
        in.clear();
        SocketChannel made = SocketChannel.open();
        channel = made;
        made.configureBlocking(false);
        made.connect(service);
    }

    private void answered(Instant now) {
        String head = new String(in.array(), 0, in.position(), StandardCharsets.US_ASCII);
        if (head.startsWith(ANSWER)) {
            times.add(Duration.between(asked, now));
        }
        abandon(now);
    }

    private void abandon(Instant now) {
        close();
        next = now.plus(PAUSE);
    }

    @Override
    public void close() {
        SocketChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // Nothing is left to be done about it.
                in.clear();
            }
        }
    }
}
