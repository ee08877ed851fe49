package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Stacks whose children are scripts. */
final class LocalStackTest {
    /** Of this machine, and none that the ports of a stack are looked for at. */
    private static final String ELSEWHERE = "127.0.0.2";

    @TempDir
    Path directory = Path.of("");

    @Test
    @Timeout(30)
    void aChildThatEndsWhileItStartsIsNotWaitedForThoughChildrenAreStartedAgain() throws IOException {
        Installation installation = installation("echo no heap; exit 2");
        StackSettings settings = settings(StackPorts.free());

        assertThatThrownBy(() -> start(installation, settings))
                .isInstanceOf(StackException.class)
                .hasMessageContaining("the broker ended with exit code 2 while it started")
                .hasMessageContaining("no heap");
        assertThat(settings.data().resolve("broker.pid")).doesNotExist();
    }

    @Test
    @Timeout(30)
    void theEndOfAChildThatIsReadyEndsTheStartOfTheOthers() throws IOException {
        Installation installation = installation("case \"$*\" in *broker*) sleep 1; exit 3 ;; *) exec cat ;; esac");
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getByName(ELSEWHERE))) {
            StackSettings settings = settings(StackPorts.withBroker(broker.getLocalPort()))
                    .withBroker(new BrokerLocation(ELSEWHERE, List.of()));

            assertThatThrownBy(() -> start(installation, settings))
                    .isInstanceOf(StackException.class)
                    .hasMessageContaining("the broker ended with exit code 3 while the writer started");
        }
    }

    /** Kafka would take it for several directories. */
    @Test
    @Timeout(30)
    void aDirectoryWithACommaIsRefused() throws IOException {
        Installation installation = installation("exit 2");
        Path catalog = Files.writeString(directory.resolve("catalog.yaml"), "");
        StackSettings settings = StackSettings.of(directory.resolve("a,b"), catalog, StackPorts.free());

        assertThatThrownBy(() -> start(installation, settings))
                .isInstanceOf(StackException.class)
                .hasMessageContaining("expected a data directory without a comma");
        assertThat(settings.data()).doesNotExist();
    }

    private static void start(Installation installation, StackSettings settings)
            throws StackException, InterruptedException {
        LocalStack.start(installation, settings, service -> false, StackListener.SILENT)
                .close();
    }

    private StackSettings settings(StackPorts ports) throws IOException {
        Path catalog = Files.writeString(directory.resolve("catalog.yaml"), "");
        return StackSettings.of(directory.resolve("data"), catalog, ports).withRestart(true);
    }

    /** An installation whose programs are those of a shell script in place of java. */
    private Installation installation(String script) throws IOException {
        Path java = Files.writeString(directory.resolve("java"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        Installation installation = new Installation(directory, java);
        for (Path jar : List.of(installation.serviceJar(), installation.brokerJar())) {
            Files.createDirectories(jar.getParent());
            Files.writeString(jar, "");
        }
        return installation;
    }
}
