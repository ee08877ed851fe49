package dev.tidemark.deploy.drill.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;

import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;

/** A port of this machine that passes everything on to another one, well or badly. One thread; its mood is for any. */
public final class Link implements Agent, AutoCloseable {
    private static final long PATIENCE_MILLIS = 50;
    private static final Duration SLOW_REST = Duration.ofMillis(30);
    private static final int SLOW_BYTES = 1_024;
    private static final int REQUESTS_PER_TEAR = 20;

    /** How a link is. */
    public enum Mood {
        /** It passes everything on at once. */
        FINE,
        /** It passes on a kibibyte of a connection every 30 ms, which is less than the services send. */
        SLOW,
        /** It passes nothing on and says nothing: what is sent waits, and so does who connects. */
        CUT,
        /** It breaks off every connection. */
        BROKEN,
        /** It breaks off a connection at every 20th request, which it passes on or not, in turns. */
        TORN;

        /** Those that any connection may have. */
        public static final List<Mood> BAD = List.of(SLOW, CUT, BROKEN);
    }

    private final InetSocketAddress to;
    private final Selector selector;
    private final ServerSocketChannel server;
    private final AgentRunner runner;
    private volatile Mood mood = Mood.FINE;

    /** Requests since the link tears them. */
    private int requests;

    /** Begins to pass on what comes to a port, to a port of that address. */
    public Link(int from, String host, int to) throws IOException {
        this.to = new InetSocketAddress(host, to);
        this.selector = Selector.open();
        this.server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), from));
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        this.runner = AgentRunner.start(this, Duration.ZERO);
    }

    public void become(Mood next) {
        mood = next;
        selector.wakeup();
    }

    @Override
    public String roleName() {
        return "link-to-" + to.getPort();
    }

    @Override
    public int doWork() throws InterruptedException {
        Mood now = mood;
        if (now == Mood.CUT) {
            BoundedWait.rest(SLOW_REST);
            return 0;
        }
        try {
            selector.select(PATIENCE_MILLIS);
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isValid()) {
                    serve(key, now);
                }
            }
            selector.selectedKeys().clear();
            if (now == Mood.BROKEN) {
                breakAll();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (now == Mood.SLOW) {
            BoundedWait.rest(SLOW_REST);
        }
        return 1;
    }

    private void serve(SelectionKey key, Mood now) throws IOException {
        if (key.isAcceptable()) {
            SocketChannel client = server.accept();
            if (client != null) {
                connect(client);
            }
            return;
        }
        ConnectionPair ends = (ConnectionPair) key.attachment();
        if (now == Mood.TORN && ends.hasRequest(key)) {
            requests++;
            if (requests % REQUESTS_PER_TEAR == 0) {
                ends.tear(requests % (2 * REQUESTS_PER_TEAR) == 0);
                return;
            }
        }
        ends.pass(now == Mood.SLOW ? SLOW_BYTES : Integer.MAX_VALUE);
    }

    private void connect(SocketChannel client) throws IOException {
        try {
            ConnectionPair.join(client, SocketChannel.open(to), selector);
        } catch (IOException e) {
            // No process listens there at the moment.
            client.close();
        }
    }

    private void breakAll() {
        for (SelectionKey key : selector.keys()) {
            if (key.attachment() instanceof ConnectionPair ends) {
                ends.close();
            }
        }
    }

    @Override
    public void onClose() {
        breakAll();
        try {
            server.close();
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Breaks off every connection and listens no more. */
    @Override
    public void close() {
        become(Mood.BROKEN);
        runner.close();
    }

    /** Both ends of a connection that is passed on. For the thread of its link. */
    static final class ConnectionPair {
        private static final int BUFFER_BYTES = 64 * 1024;

        private final Way there;
        private final Way back;
        private final Selector selector;

        /** One direction: what was read and not yet written waits in a buffer. */
        private record Way(SocketChannel from, SocketChannel to, ByteBuffer buffer) {
            Way(SocketChannel from, SocketChannel to) {
                this(from, to, ByteBuffer.allocate(BUFFER_BYTES));
            }

            /** False at the end of the stream. */
            boolean pass(int most) throws IOException {
                buffer.limit((int) Math.min(buffer.capacity(), (long) buffer.position() + most));
                int read = from.read(buffer);
                buffer.flip();
                to.write(buffer);
                buffer.compact();
                return read >= 0;
            }
        }

        private ConnectionPair(SocketChannel client, SocketChannel broker, Selector selector) {
            this.there = new Way(client, broker);
            this.back = new Way(broker, client);
            this.selector = selector;
        }

        static void join(SocketChannel client, SocketChannel broker, Selector selector) throws IOException {
            ConnectionPair ends = new ConnectionPair(client, broker, selector);
            for (SocketChannel end : new SocketChannel[] {client, broker}) {
                end.configureBlocking(false);
                end.setOption(StandardSocketOptions.TCP_NODELAY, true);
                end.register(selector, SelectionKey.OP_READ, ends);
            }
        }

        /** Forwards what has arrived, with a limit in bytes for each direction. */
        void pass(int most) {
            try {
                boolean more = there.pass(most);
                // What is still on its way back arrives, whether the client has ended or not.
                if (back.pass(most) && more) {
                    attend(there, back);
                    attend(back, there);
                } else {
                    close();
                }
            } catch (IOException e) {
                close();
            }
        }

        /**
         * The source of a way is read while there is room, and is written to while the other way has something
         * waiting.
         */
        private void attend(Way out, Way in) {
            int reading = out.buffer().position() < BUFFER_BYTES ? SelectionKey.OP_READ : 0;
            int writing = in.buffer().position() > 0 ? SelectionKey.OP_WRITE : 0;
            out.from().keyFor(selector).interestOps(reading | writing);
        }

        /** Whether the client has sent something. */
        boolean hasRequest(SelectionKey key) {
            return key.isReadable() && key.channel() == there.from();
        }

        /** Closes both ends, before what the client has sent is passed on or after it, and passes on no answer. */
        void tear(boolean after) {
            try {
                if (after) {
                    there.pass(Integer.MAX_VALUE);
                }
            } catch (IOException e) {
                // One end is closed already.
            }
            close();
        }

        void close() {
            close(there.from());
            close(there.to());
        }

        private static void close(SocketChannel end) {
            try {
                end.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
