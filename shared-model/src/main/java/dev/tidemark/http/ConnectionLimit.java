package dev.tidemark.http;

import java.nio.channels.SelectableChannel;
import java.time.Duration;

import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.AbstractConnector;
import org.jspecify.annotations.Nullable;

/**
 * Lets further clients wait while there are as many connections as there may be. Meanwhile each answer ends its connection, and
 * says so; and silent connections are closed early, because no answer can end them.
 */
final class ConnectionLimit implements SelectorManager.AcceptListener {
    private static final Duration IDLE_WHEN_FULL = Duration.ofSeconds(5);

    private final AbstractConnector connector;
    private final int most;
    private int connections;
    private volatile boolean reached;

    ConnectionLimit(AbstractConnector connector, int most) {
        this.connector = connector;
        this.most = most;
    }

    /** Whether clients wait for a connection. */
    boolean isReached() {
        return reached;
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
        if (full != reached) {
            reached = full;
            connector.setAccepting(!full);
            long idle = full ? IDLE_WHEN_FULL.toMillis() : connector.getIdleTimeout();
            connector.getConnectedEndPoints().forEach(client -> client.setIdleTimeout(idle));
        }
    }
}
