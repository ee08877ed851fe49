package dev.tidemark.deploy.bench;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

final class ApplyReportTest {
    private final Terminal terminal = Terminals.Recorded.pipe().terminal();
    private final Machine machine = new Machine(Instant.EPOCH, "cpu", 2, "1 GiB", "os", "17", 0.5);
    private final Report report = ApplyBenchmark.report(
            machine,
            1_000,
            2,
            new Rounds(Map.of(
                    Contender.TIDEMARK,
                    List.of(round(280_000, 2), round(320_000, 3)),
                    ApplyBaseline.STREAMS_EXACTLY_ONCE.label(),
                    List.of(Map.of(Figure.FOLLOWED, 100_000.0)),
                    ApplyBaseline.STORE_ALONE.label(),
                    List.of(Map.of(Figure.FOLLOWED, 400_000.0)))));

    private static Map<Figure, Double> round(double rate, double space) {
        return Map.of(Figure.FOLLOWED, rate, ApplyBenchmark.SPACE, space);
    }

    @Test
    void tellsTheRatioOfMedians() {
        assertThat(report.text(terminal))
                .anyMatch(line -> line.contains("exactly_once_v2") && line.endsWith(" 3.00"))
                .anyMatch(line -> line.contains("RocksDB alone") && line.endsWith(" 0.75"));
        assertThat(report.json().at("/store_alone/ratio").asDouble()).isEqualTo(0.75);
    }

    @Test
    void saysWhoWasLeftOut() {
        assertThat(report.text(terminal)).anyMatch(line -> line.startsWith("Kafka Streams, at_least_once: left out"));
    }

    @Test
    void theTableHasTheRatioAndWhatTheDiskHolds() {
        assertThat(report.markdown())
                .contains(
                        "| RocksDB alone, from memory | 400,000 (400,000 to 400,000) | 0.75 |",
                        "- bytes on disk for each byte of live entries: 2.50 (2.00 to 3.00)",
                        "- bytes written for each byte of rows applied: not reported by this system");
        assertThat(report.json().path("spaceAmplification").asDouble()).isEqualTo(2.5);
        assertThat(report.json().has("writeAmplification")).isFalse();
    }
}
