package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

import org.junit.jupiter.api.Test;

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
        StackPorts free = StackPorts.free();

        assertThatThrownBy(
                        () -> new StackPorts(free.broker(), free.controller(), free.writers(), List.of(free.writer()))
                                .requireFree())
                .hasMessageContaining("three different ports");
    }

    @Test
    void findsFreePortsThatDiffer() throws StackException {
        StackPorts ports = StackPorts.free();

        ports.requireFree();
        assertThat(ports.controller()).isNotIn(ports.broker(), ports.writer(), ports.worker());
    }
}
