package dev.tidemark.http;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the connections of clients that send their headers or their body so slowly that they keep others out. A client
 * that sends a byte now and then is never idle, so the idle timeout does not find it. Owned by the thread that looks.
 */
final class SlowClients {
    private static final Logger LOGGER = LoggerFactory.getLogger(SlowClients.class);

    private final ServerConnector connector;
    private final HttpLimits limits;
    private final Map<EndPoint, Sight> sights = new HashMap<>();

    /** What a client was at, since when, and how much it had sent by then. */
    private record Sight(Stage stage, long messages, Instant since, long bytes) {
        boolean isSame(Stage other, long count) {
            return stage == other && messages == count;
        }
    }

    private enum Stage {
        HEADERS,
        BODY,
        NEITHER
    }

    SlowClients(ServerConnector connector, HttpLimits limits) {
        this.connector = connector;
        this.limits = limits;
    }

    /** How many connections there are. */
    int connections() {
        return connector.getConnectedEndPoints().size();
    }

    /** Looks at every connection; how many were closed. */
    int look(Instant now) {
        Set<EndPoint> open = Set.copyOf(connector.getConnectedEndPoints());
        sights.keySet().retainAll(open);
        int closed = 0;
        for (EndPoint client : open) {
            closed += look(client, now) ? 1 : 0;
        }
        return closed;
    }

    private boolean look(EndPoint client, Instant now) {
        @Nullable HttpConnection connection = http(client.getConnection());
        if (connection == null) {
            return false;
        }
        Stage stage = stage(connection);
        long messages = connection.getMessagesIn();
        long bytes = connection.getBytesIn();
        @Nullable Sight before = sights.get(client);
        if (before == null || !before.isSame(stage, messages)) {
            sights.put(client, new Sight(stage, messages, now, bytes));
            return false;
        }
        Duration took = Duration.between(before.since(), now);
        return switch (stage) {
            case NEITHER -> false;
            case HEADERS -> took.compareTo(limits.headerPatience()) >= 0 && close(client, "headers");
            case BODY -> {
                if (took.compareTo(limits.bodyWindow()) < 0) {
                    yield false;
                }
                sights.put(client, new Sight(stage, messages, now, bytes));
                yield bytes - before.bytes() < limits.bodyBytesPerWindow() && close(client, "body");
            }
        };
    }

    private static boolean close(EndPoint client, String what) {
        LOGGER.warn("Closed the connection of {}: it sends its {} too slowly", client.getRemoteSocketAddress(), what);
        client.close();
        return true;
    }

    private static Stage stage(HttpConnection connection) {
        HttpParser parser = connection.getParser();
        if (parser.isStart()) {
            // Between two requests a client may take its time, before the first it may not.
            return connection.getMessagesIn() == 0 ? Stage.HEADERS : Stage.NEITHER;
        }
        if (parser.inHeaderState()) {
            return Stage.HEADERS;
        }
        return parser.inContentState() ? Stage.BODY : Stage.NEITHER;
    }

    private static @Nullable HttpConnection http(@Nullable Connection connection) {
        if (connection instanceof SslConnection tls) {
            return http(tls.getSslEndPoint().getConnection());
        }
        return connection instanceof HttpConnection http ? http : null;
    }
}
