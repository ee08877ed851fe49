package dev.tidemark.worker.forecast;

import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class ForecastJobsTest {
    private final ForecastJobs jobs = new ForecastJobs(0);

    @Test
    void rehearsalsOfLargeCatalogsAreForgottenSooner() {
        for (int i = 0; i < ForecastJobs.KEPT; i++) {
            ForecastJob forecastJob =
                    jobs.ask(Tables.catalog(), ForecastJobs.KEPT_BYTES / 4, 1).orElseThrow();
            jobs.report(forecastJob.id(), new ForecastJob.Done(List.of()));
        }

        assertThat(LongStream.rangeClosed(1, ForecastJobs.KEPT)
                        .filter(id -> jobs.find(id).isPresent()))
                .containsExactly(13L, 14L, 15L, 16L);
    }

    @Test
    void thoseThatAreNotOverAreKept() {
        for (int i = 0; i < ForecastJobs.MOST_WAITING; i++) {
            assertThat(jobs.ask(Tables.catalog(), ForecastJobs.KEPT_BYTES, 1)).isPresent();
        }

        assertThat(jobs.find(1)).isPresent();
    }
}
