package dev.tidemark.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** In which pieces lines are sent. */
final class ChangeLinesTest {
    private final ManualTiming timing = new ManualTiming();

    @Test
    void aLineOfASlowSourceIsHeldForAboutASecond() throws IOException {
        assertThat(firstPiece(Duration.ofMillis(400))).isEqualTo("0\n1\n2\n3\n");
        assertThat(firstPiece(Duration.ofSeconds(5))).isEqualTo("0\n1\n");
    }

    @Test
    void linesOfAFastSourceAreJoined() throws IOException {
        assertThat(firstPiece(Duration.ZERO)).hasSizeGreaterThan(200);
    }

    private String firstPiece(Duration pause) throws IOException {
        ChangeLines lines = new ChangeLines(
                IntStream.range(0, 100)
                        .mapToObj(i -> {
                            try {
                                timing.sleep(pause);
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                            return Change.put(i);
                        })
                        .iterator(),
                row -> row.toString().getBytes(StandardCharsets.UTF_8),
                timing);
        byte[] buffer = new byte[10_000];
        return new String(buffer, 0, lines.read(buffer), StandardCharsets.UTF_8);
    }
}
