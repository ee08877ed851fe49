package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.settings.BadSettingsException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class StackPortsTest {

    @Test
    void namesThePortThatIsInUseWhomItWasForAndTheOptionThatChangesIt() throws IOException {
        StackPorts free = StackPorts.free();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            assertThatThrownBy(
                            () -> new StackPorts(port, free.controller(), free.writers(), free.workers()).requireFree())
                    .isInstanceOf(StackException.class)
                    .hasMessage("port " + port + " for the broker is in use; choose another with --broker-port");
            assertThatThrownBy(() -> new StackPorts(free.broker(), free.controller(), free.writers(), List.of(port))
                            .requireFree())
                    .hasMessageContaining("for the worker")
                    .hasMessageContaining("--worker-port");
            assertThat(new StackPorts(port, free.controller(), free.writers(), free.workers()).areFree())
                    .isFalse();
        }
    }

    @Test
    void refusesOnePortForTwo() {
        assertThatThrownBy(() -> StackPorts.of(9092, 8081, 8081))
                .isInstanceOf(BadSettingsException.class)
                .hasMessage("expected three different ports, but got 8081 as --writer-port and as --worker-port");
    }

    @Test
    void refusesAtOnceWhatIsNoPort() {
        assertThatThrownBy(() -> StackPorts.of(0, 8081, 8082))
                .isInstanceOf(BadSettingsException.class)
                .hasMessage("expected --broker-port from 1 to 65535, but got 0");
        assertThatThrownBy(() -> StackPorts.of(99_999, 8081, 8082)).hasMessageContaining("--broker-port");
        assertThatThrownBy(() -> StackPorts.of(9092, -5, 8082)).hasMessageContaining("--writer-port");
        assertThatThrownBy(() -> StackPorts.of(9092, 8081, 70_000)).hasMessageContaining("--worker-port");
    }

    @Test
    void findsFreePortsThatDiffer() throws StackException {
        StackPorts ports = StackPorts.free();

        ports.requireFree();
        assertThat(ports.controller()).isNotIn(ports.broker(), ports.writer(), ports.worker());
    }
}
