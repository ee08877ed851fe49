package dev.tidemark.deploy.e2e.lag;

import java.io.IOException;
import java.io.UncheckedIOException;

import dev.tidemark.deploy.e2e.running.TcpProxy;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.testkit.UnusedPort;

/**
 * A listener of the broker, and a proxy in front of it, through which the writer reaches the broker.
 *
 * @param listener port of the broker
 */
record BrokerProxy(int listener, TcpProxy proxy) implements AutoCloseable {
    static BrokerProxy open() {
        try {
            int listener = UnusedPort.find();
            return new BrokerProxy(listener, TcpProxy.to(listener));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    StackSettings applyTo(StackSettings settings) {
        String usual = "CLIENTS://127.0.0.1:" + settings.ports().broker();
        String controller = "CONTROLLER://127.0.0.1:" + settings.ports().controller();
        return settings.with(Role.BROKER, "listeners", usual + "," + controller + ",RELAY://127.0.0.1:" + listener)
                .with(Role.BROKER, "advertised.listeners", usual + ",RELAY://127.0.0.1:" + proxy.port())
                .with(
                        Role.BROKER,
                        "listener.security.protocol.map",
                        "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT,RELAY:PLAINTEXT")
                .with(Role.WRITER, "kafka.bootstrap.servers", "127.0.0.1:" + proxy.port());
    }

    void become(TcpProxy.Network network) {
        proxy.become(network);
    }

    @Override
    public void close() throws IOException {
        proxy.close();
    }
}
