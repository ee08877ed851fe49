package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

final class DemoDirectoryTest {
    @Test
    @Timeout(30)
    void aChildThatDoesNotEndWhenAskedIsKilled() throws IOException {
        Process child = new ProcessBuilder("sh", "-c", "trap '' TERM; echo ready; exec sleep 60").start();
        try {
            assertThat(child.getInputStream().read()).isEqualTo('r');

            DemoDirectory.end(List.of(child.toHandle()), Duration.ofMillis(200));

            assertThat(child.isAlive()).isFalse();
        } finally {
            child.destroyForcibly();
        }
    }
}
