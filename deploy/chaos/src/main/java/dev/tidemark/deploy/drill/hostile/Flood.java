package dev.tidemark.deploy.drill.hostile;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Many hostile clients of one service, and a watch on its health. Never waits. For one thread, which ticks it all the
 * time.
 */
public final class Flood implements AutoCloseable {
    private static final Duration BETWEEN_CONNECTIONS = Duration.ofMillis(500);
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(100);

    private final String service;
    private final Map<HostileClient, Scripts.Script> clients = new LinkedHashMap<>();
    private final HostileClient health;
    private Duration longest = Duration.ZERO;

    /**
     * A flood that begins with its first tick.
     *
     * @param connections how many there are at a time; the scripts take turns
     */
    public Flood(String service, URI url, List<Scripts.Script> scripts, int connections) {
        this.service = service;
        InetSocketAddress address = new InetSocketAddress(url.getHost(), url.getPort());
        this.health = new HostileClient(address, Scripts.Script.health(url.getAuthority()), BETWEEN_QUESTIONS);
        for (int i = 0; i < connections; i++) {
            Scripts.Script script = scripts.get(i % scripts.size());
            clients.put(new HostileClient(address, script, BETWEEN_CONNECTIONS), script);
        }
    }

    /** Goes on as far as it can at once. */
    public void tick(Instant now) {
        clients.keySet().forEach(client -> client.tick(now));
        health.tick(now);
        Duration waiting = health.lasting(now);
        longest = longest.compareTo(waiting) < 0 ? waiting : longest;
    }

    /** Whether every client was connected at least once. */
    public boolean hasHit() {
        return clients.keySet().stream().allMatch(client -> client.connections() > 0);
    }

    /**
     * What the service did wrong.
     *
     * @param patience longest time that a question about its health may take
     */
    public List<String> findings(Duration patience) {
        Set<String> found = new LinkedHashSet<>();
        clients.forEach((client, script) -> {
            if (client.wasAccepted()) {
                found.add("the " + service + " accepted what it must refuse: " + script.name());
            }
        });
        if (longest.compareTo(patience) > 0) {
            found.add("the " + service + " did not say for " + longest.toMillis() + " ms whether it is alive, while "
                    + clients.size() + " hostile clients were connected");
        }
        return List.copyOf(found);
    }

    @Override
    public void close() {
        clients.keySet().forEach(HostileClient::close);
        health.close();
    }

    /** One connection of a hostile client, made again after it ends. Never waits. For one thread. */
    static final class HostileClient implements AutoCloseable {
        private static final Duration BETWEEN_BYTES = Duration.ofMillis(300);

        /** Small, so that a service soon notices that nothing is read. */
        private static final int RECEIVE_BYTES = 4_096;

        private static final int STATUS_LINE = "HTTP/1.1 200".length();

        private final InetSocketAddress service;
        private final Scripts.Script script;
        private final Duration betweenConnections;
        private final ByteBuffer in = ByteBuffer.allocate(64 * 1024);
        private final StringBuilder statusLine = new StringBuilder();
        private @Nullable SocketChannel channel;
        private ByteBuffer opening = ByteBuffer.allocate(0);
        private int dripped;
        private Instant next = Instant.MIN;
        private Instant connected = Instant.MIN;
        private long connections;
        private boolean accepted;

        HostileClient(InetSocketAddress service, Scripts.Script script, Duration betweenConnections) {
            this.service = service;
            this.script = script;
            this.betweenConnections = betweenConnections;
        }

        /** Goes on as far as it can at once. */
        void tick(Instant now) {
            try {
                SocketChannel open = channel;
                if (open == null) {
                    if (!now.isBefore(next)) {
                        connected = now;
                        connect();
                    }
                } else if (open.finishConnect()) {
                    talk(open, now);
                }
            } catch (IOException e) {
                // The service has refused it or cut it off, which it may. Others judge a service that was killed.
                end(now);
            }
        }

        /** How often it was connected. */
        long connections() {
            return connections;
        }

        /** Whether a request that must be refused was answered as if it were a good one. */
        boolean wasAccepted() {
            return accepted;
        }

        /** How long the present connection has lasted; zero where there is none. */
        Duration lasting(Instant now) {
            return channel == null ? Duration.ZERO : Duration.between(connected, now);
        }

        private void connect() throws IOException {
            SocketChannel made = SocketChannel.open();
            channel = made;
            made.configureBlocking(false);
            if (script.reading() == Scripts.Script.Reading.SLOWLY) {
                made.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BYTES);
            }
            if (script.reading() == Scripts.Script.Reading.NEVER) {
                made.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            opening = ByteBuffer.wrap(script.opening().getBytes(StandardCharsets.ISO_8859_1));
            dripped = 0;
            statusLine.setLength(0);
            made.connect(service);
        }

        private void talk(SocketChannel open, Instant now) throws IOException {
            if (opening.hasRemaining()) {
                if (opening.position() == 0) {
                    connections++;
                }
                open.write(opening);
            } else if (script.reading() == Scripts.Script.Reading.NEVER) {
                end(now);
                return;
            }
            boolean due = !now.isBefore(next);
            if (due) {
                next = now.plus(BETWEEN_BYTES);
                drip(open);
            }
            if (script.reading() == Scripts.Script.Reading.ALL
                    || script.reading() == Scripts.Script.Reading.STATUS
                    || due) {
                read(open, now);
            }
        }

        private void drip(SocketChannel open) throws IOException {
            byte[] drip = script.drip().getBytes(StandardCharsets.ISO_8859_1);
            if (drip.length > 0 && !opening.hasRemaining()) {
                dripped += open.write(ByteBuffer.wrap(drip, dripped % drip.length, 1));
            }
        }

        private void read(SocketChannel open, Instant now) throws IOException {
            in.clear().limit(script.reading() == Scripts.Script.Reading.SLOWLY ? 1 : in.capacity());
            int read = open.read(in);
            if (read < 0) {
                end(now);
                return;
            }
            if (statusLine.length() < STATUS_LINE) {
                int more = Math.min(read, STATUS_LINE - statusLine.length());
                statusLine.append(new String(in.array(), 0, more, StandardCharsets.US_ASCII));
                accepted |= script.refused() && statusLine.toString().matches("HTTP/1.1 2\\d\\d");
            }
            if (script.reading() == Scripts.Script.Reading.STATUS && statusLine.length() == STATUS_LINE) {
                end(now);
            }
        }

        private void end(Instant now) {
            close();
            next = now.plus(betweenConnections);
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
                    statusLine.setLength(0);
                }
            }
        }
    }
}
