package dev.tidemark.http;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts off clients that send their headers or their body, or take their answer, so slowly that they keep others out or
 * hold memory. A client that moves a byte now and then is never idle, so the idle timeout does not find it. One thread
 * looks; transfers come and go on any.
 */
final class SlowClientReaper {
    private static final Logger LOGGER = LoggerFactory.getLogger(SlowClientReaper.class);

    /**
     * What the systems on both sides hold of an answer is taken in large steps, so its speed is seen over a longer
     * time.
     */
    private static final int WINDOWS_OF_ANSWER = 2;

    private final HttpLimits limits;
    private final Set<Transfer> transfers = ConcurrentHashMap.newKeySet();
    private final Map<Transfer, Sight> seen = new HashMap<>();
    private final Map<EndPoint, Head> heads = new HashMap<>();

    /** How far a transfer was, and when. */
    private record Sight(Instant since, long bytes) {}

    /** The request whose headers a connection was at, and since when. */
    private record Head(String address, long messages, Instant since) {}

    SlowClientReaper(HttpLimits limits) {
        this.limits = limits;
    }

    /** Watches a transfer until it ends. */
    Transfer watch(Transfer.Kind kind, Request request) {
        EndPoint client = outer(request.getConnectionMetaData().getConnection().getEndPoint());
        Runnable cutOff = kind == Transfer.Kind.BODY || kind == Transfer.Kind.LOAD
                ? () -> request.fail(new TooSlowException("a client sends its body too slowly"))
                : client::close;
        Transfer transfer = new Transfer(kind, String.valueOf(client.getRemoteSocketAddress()), cutOff, transfers);
        transfers.add(transfer);
        return transfer;
    }

    /** Cuts off clients that were answered, and still send what was refused. */
    void endRests() {
        transfers.stream()
                .filter(transfer -> transfer.kind() == Transfer.Kind.REST)
                .forEach(Transfer::cutOff);
    }

    /** How many transfers are watched. */
    int watched() {
        return transfers.size();
    }

    /** Looks at every connection and every transfer; how many clients were cut off. */
    int look(AbstractConnector connector, Instant now) {
        Set<EndPoint> open = Set.copyOf(connector.getConnectedEndPoints());
        heads.keySet().retainAll(open);
        int closed = 0;
        for (EndPoint client : open) {
            closed += look(client, now) ? 1 : 0;
        }
        seen.keySet().retainAll(transfers);
        for (Transfer transfer : transfers) {
            closed += look(transfer, now) ? 1 : 0;
        }
        return closed;
    }

    private boolean look(Transfer transfer, Instant now) {
        long moved = transfer.moved();
        @Nullable Sight before = seen.get(transfer);
        if (before == null || transfer.isPaused()) {
            seen.put(transfer, new Sight(now, moved));
            return false;
        }
        if (Duration.between(before.since(), now).compareTo(window(transfer.kind())) < 0) {
            return false;
        }
        if (moved - before.bytes() >= least(transfer.kind())) {
            seen.put(transfer, new Sight(now, moved));
            return false;
        }
        seen.remove(transfer);
        if (!transfers.remove(transfer)) {
            // It ended meanwhile, and its connection may be at the next request.
            return false;
        }
        LOGGER.warn("Cut off {} too slowly", transfer);
        transfer.cutOff();
        return true;
    }

    private Duration window(Transfer.Kind kind) {
        return switch (kind) {
            case BODY, LOAD -> HttpLimits.WINDOW;
            case ANSWER, PIECES -> HttpLimits.WINDOW.multipliedBy(WINDOWS_OF_ANSWER);
            case REST -> limits.headerPatience();
        };
    }

    private long least(Transfer.Kind kind) {
        return switch (kind) {
            case BODY -> HttpLimits.BYTES_PER_WINDOW;
            case ANSWER, PIECES -> WINDOWS_OF_ANSWER * HttpLimits.BYTES_PER_WINDOW;
            case LOAD -> HttpLimits.LOAD_BYTES_PER_WINDOW;
            // Such a client has been answered.
            case REST -> Long.MAX_VALUE;
        };
    }

    private boolean look(EndPoint client, Instant now) {
        @Nullable HttpConnection connection = http(client.getConnection());
        if (connection == null || !client.isOpen() || !isAtHeaders(connection)) {
            heads.remove(client);
            return false;
        }
        long messages = connection.getMessagesIn();
        @Nullable Head before = heads.get(client);
        if (before == null || before.messages() != messages) {
            // Once the client has gone, the connection does not know its address any more.
            heads.put(client, new Head(String.valueOf(client.getRemoteSocketAddress()), messages, now));
            return false;
        }
        if (Duration.between(before.since(), now).compareTo(limits.headerPatience()) < 0) {
            return false;
        }
        LOGGER.warn("Closed the connection of {}: it sends its headers too slowly", before.address());
        client.close();
        return true;
    }

    /** Between two requests a client may take its time, before the first it may not. */
    private static boolean isAtHeaders(HttpConnection connection) {
        HttpParser parser = connection.getParser();
        return parser.isStart() ? connection.getMessagesIn() == 0 : parser.inHeaderState();
    }

    private static @Nullable HttpConnection http(@Nullable Connection connection) {
        if (connection instanceof SslConnection tls) {
            return http(tls.getSslEndPoint().getConnection());
        }
        return connection instanceof HttpConnection http ? http : null;
    }

    private static EndPoint outer(EndPoint client) {
        return client instanceof SslConnection.SslEndPoint inner
                ? inner.getSslConnection().getEndPoint()
                : client;
    }
}
