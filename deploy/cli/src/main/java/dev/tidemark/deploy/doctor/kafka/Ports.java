package dev.tidemark.deploy.doctor.kafka;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Optional;

import org.apache.kafka.common.utils.Utils;

import dev.tidemark.deploy.doctor.KafkaFacts.Obstacle;
import dev.tidemark.deploy.doctor.KafkaFacts.Unreached;

/** Whether ports open, because Kafka's clients answer a closed one with a timeout only. */
final class Ports {
    private static final int PATIENCE_MILLIS = 2_000;

    private Ports() {}

    /** The obstacle of the last server, where none opens. */
    static Optional<Unreached> closed(String servers) {
        Optional<Unreached> last = Optional.empty();
        for (String server : servers.split(",", 0)) {
            last = obstacle(server.strip());
            if (last.isEmpty()) {
                return last;
            }
        }
        return last;
    }

    /** Why a port does not open; empty where it does. */
    static Optional<Unreached> obstacle(String server) {
        String host = Utils.getHost(server);
        Integer port = Utils.getPort(server);
        if (host == null || port == null) {
            return unreached(Obstacle.NAME, "it is not like host:port");
        }
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            return unreached(Obstacle.NAME, "the name " + host + " does not resolve");
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, PATIENCE_MILLIS);
            return Optional.empty();
        } catch (SocketTimeoutException e) {
            return unreached(Obstacle.CLOSED, server + " does not answer within " + PATIENCE_MILLIS + " ms");
        } catch (IOException e) {
            return unreached(Obstacle.CLOSED, "nothing listens at " + server + " (" + e.getMessage() + ")");
        }
    }

    private static Optional<Unreached> unreached(Obstacle obstacle, String detail) {
        return Optional.of(new Unreached(obstacle, detail));
    }
}
