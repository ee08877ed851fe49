package dev.tidemark.deploy.observe;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.BudgetMeters;
import dev.tidemark.metrics.ChecksumScanMeters;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.rocks.RocksGauges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The part of the list that can be checked without a running stack. */
final class ExportedMetricsTest {
    @Test
    void everyServiceExportsWhatIsListedForAll() {
        assertThat(ExportedMetrics.namesIn(scrape()))
                .containsAll(ExportedMetrics.namesOf(ExportedMetrics.Source.SERVICE));
    }

    @Test
    void prometheusFindsNoFaultWithWhatEveryServiceExports() throws Exception {
        PromtoolCheck.metrics(scrape());
    }

    @Test
    void aFaultOfOursIsReported() throws Exception {
        String good = "# HELP tidemark_x Something.\n# TYPE tidemark_x gauge\ntidemark_x 1\n";
        PromtoolCheck.metrics(good);
        assertThatThrownBy(() -> PromtoolCheck.metrics(good.replace("tidemark_x", "tidemark_x_count")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("tidemark_x_count");
        assertThatThrownBy(() -> PromtoolCheck.metrics("tidemark_x one\n")).isInstanceOf(AssertionError.class);
    }

    private static String scrape() {
        try (ServiceMeters meters = new ServiceMeters()) {
            meters.show(RocksGauges.of(List::of));
            ChecksumScanMeters.show(meters.registry());
            MemoryBudget memory = new MemoryBudget(1 << 20);
            memory.part("any", 1);
            BudgetMeters.show(meters.registry(), memory);
            return meters.scrape();
        }
    }
}
