package dev.tidemark.http;

import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.AbstractConnector;
import org.jspecify.annotations.Nullable;

/**
 * Makes further clients wait while the number of connections is at its limit. Meanwhile each answer ends its connection
 * and announces that. Silent connections are closed early, because no answer can end them. The {@code Keep-Alive}
 * header therefore always announces less silence than is allowed then.
 */
final class ConnectionLimit implements SelectorManager.AcceptListener {
    private static final Duration IDLE_WHEN_FULL = Duration.ofSeconds(5);

    /** A request that a client sends in time may arrive later by this time at most. */
    private static final Duration ON_ITS_WAY = Duration.ofSeconds(1);

    private final AbstractConnector connector;
    private final int most;
    private final long idleWhenFull;
    private int connections;
    private volatile boolean reached;
    private volatile boolean stopping;
    private final AtomicInteger underWay = new AtomicInteger();

    ConnectionLimit(AbstractConnector connector, int most) {
        this.connector = connector;
        this.most = most;
        this.idleWhenFull = Math.min(IDLE_WHEN_FULL.toMillis(), connector.getIdleTimeout());
    }

    /**
     * Whether an answer that begins now keeps its connection open for further requests. If it does, the caller reports
     * its end by {@link #answered}. It does not while clients wait for a connection, or when the server stops.
     */
    boolean keeps() {
        underWay.incrementAndGet();
        if (reached || stopping) {
            underWay.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Called once for each answer that leaves its connection, when it is over. */
    void answered() {
        underWay.decrementAndGet();
    }

    /** From now on answers end their connections. */
    void stop() {
        stopping = true;
    }

    /** Whether each answer under way has said that it ends its connection. */
    boolean keepsNone() {
        return underWay.get() == 0;
    }

    /** How long a connection may be silent, as the header {@code Keep-Alive} has it. */
    String keptFor() {
        return "timeout="
                + Math.max(1, Duration.ofMillis(idleWhenFull).minus(ON_ITS_WAY).toSeconds());
    }

    @Override
    public void onAccepting(SelectableChannel channel) {
        count(1);
    }

    @Override
    public void onAcceptFailed(SelectableChannel channel, @Nullable Throwable cause) {
        count(-1);
    }

    @Override
    public void onClosed(SelectableChannel channel) {
        count(-1);
    }

    private synchronized void count(int more) {
        connections += more;
        boolean full = connections >= most;
        // The idle timeout of a server that stops is shorter than either.
        if (full != reached && !stopping) {
            reached = full;
            connector.setAccepting(!full);
            long idle = full ? idleWhenFull : connector.getIdleTimeout();
            connector.getConnectedEndPoints().forEach(client -> client.setIdleTimeout(idle));
        }
    }
}
