package dev.tidemark.deploy.observe;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.metrics.ProbeMeters;
import dev.tidemark.deploy.probe.FakeServices;
import dev.tidemark.deploy.probe.Probe;
import dev.tidemark.deploy.probe.Probe.ProbeSettings;
import dev.tidemark.runtime.SteadyClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

final class ProbeMetersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String LABELS = "{index=\"by_id\",source=\"worker freshness\",table=\"canary\"} ";

    private final FakeServices services = new FakeServices();

    @Test
    void countsSamplesAndLiesAndShowsTheRealStaleness() throws Exception {
        try (Probe probe = Probe.start(services.target(), ProbeSettings.usual(), new SteadyClock());
                ProbeMeters meters = new ProbeMeters(probe::report)) {
            await().atMost(PATIENCE).until(() -> value(meters, "tidemark_probe_samples_total" + LABELS) > 0);
            assertThat(value(meters, "tidemark_probe_underreports_total" + LABELS))
                    .isZero();
            services.lying.set(true);
            services.stick(true);
            await().atMost(PATIENCE).until(() -> value(meters, "tidemark_probe_underreports_total" + LABELS) > 0);
            assertThat(value(meters, "tidemark_probe_true_staleness_seconds{index=\"by_id\",table=\"canary\"} "))
                    .isGreaterThan(0.1);
        }
    }

    @Test
    void exportsWhatIsListedInAWayThatPrometheusAccepts() throws Exception {
        try (Probe probe = Probe.start(services.target(), ProbeSettings.usual(), new SteadyClock());
                ProbeMeters meters = new ProbeMeters(probe::report)) {
            String scrape = meters.scrape();
            assertThat(ExportedMetrics.namesIn(scrape))
                    .containsAll(ExportedMetrics.namesOf(ExportedMetrics.Source.PROBER));
            PromtoolCheck.metrics(scrape);
        }
    }

    private static double value(ProbeMeters meters, String series) {
        return meters.scrape()
                .lines()
                .filter(line -> line.startsWith(series))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
                .findFirst()
                .orElseThrow();
    }
}
