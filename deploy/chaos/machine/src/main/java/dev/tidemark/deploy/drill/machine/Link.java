package dev.tidemark.deploy.drill.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;

import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;

/** A port of this machine that passes everything on to another one, well or badly. One thread; its mood is for any. */
public final class Link implements Agent, AutoCloseable {
    private static final long PATIENCE_MILLIS = 50;
    private static final Duration SLOW_REST = Duration.ofMillis(30);
    private static final int SLOW_BYTES = 1_024;

    /** How a link is. */
    public enum Mood {
        /** It passes everything on at once. */
        FINE,
        /** It passes on a kibibyte of a connection every 30 ms, which is less than the services send. */
        SLOW,
        /** It passes nothing on and says nothing: what is sent waits, and so does who connects. */
        CUT,
        /** It breaks off every connection. */
        BROKEN
    }

    private final InetSocketAddress to;
    private final Selector selector;
    private final ServerSocketChannel server;
    private final AgentRunner runner;
    private volatile Mood mood = Mood.FINE;

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
        } else {
            ((ConnectionPair) key.attachment()).pass(now == Mood.SLOW ? SLOW_BYTES : Integer.MAX_VALUE);
        }
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
}
