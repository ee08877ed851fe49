package dev.tidemark.worker.forecast;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RowSampleTest {
    private static final long ROOMY = 1 << 30;

    private final ChangeLog log = new ChangeLog(Tables.films());

    @Test
    void theNewestVersionOfARowWinsWhereverItStands() {
        log.put(5, film(1, "new")).put(3, film(1, "old")).put(4, film(2, "kept"));

        assertThat(titles(sample(1, ROOMY))).containsExactlyInAnyOrder("new", "kept");
    }

    @Test
    void aDeletedRowIsNotThereAndAnOlderRecordDoesNotBringItBack() {
        log.put(1, film(1, "gone")).delete(2, "1").put(1, film(1, "gone"));
        log.put(1, film(2, "gone too")).forget(2, "2");

        RowSample sample = sample(1, ROOMY);

        assertThat(titles(sample)).isEmpty();
        assertThat(sample.live()).isZero();
    }

    @Test
    void takesAboutThePartThatWasAskedFor() {
        rows(10_000);

        RowSample sample = sample(0.1, ROOMY);

        assertThat(sample.live() / sample.fraction()).isCloseTo(10_000, within(1_000.0));
    }

    @Test
    void aNarrowerSampleIsAPartOfAWiderOne() {
        rows(1_000);

        assertThat(titles(sample(0.5, ROOMY))).containsAll(titles(sample(0.1, ROOMY)));
    }

    @Test
    void narrowsTheSampleRatherThanTakeMoreMemory() {
        rows(10_000);

        RowSample sample = sample(1, 500_000);

        assertThat(sample.fraction()).isLessThanOrEqualTo(0.5);
        assertThat(sample.live()).isBetween(100L, 2_500L);
        assertThat(sample.live() / sample.fraction()).isCloseTo(10_000, within(2_000.0));
    }

    @Test
    void countsWhatCannotBeReadAndIgnoresHeartbeats() {
        log.garbage("1").heartbeat(3).put(4, film(2, "good"));

        RowSample sample = sample(1, ROOMY);

        assertThat(sample.unreadable()).isEqualTo(1);
        assertThat(titles(sample)).containsExactly("good");
    }

    private void rows(int count) {
        for (int id = 1; id <= count; id++) {
            log.put(id, film(id, "film " + id));
        }
    }

    private RowSample sample(double fraction, long mostBytes) {
        RowSample sample = new RowSample("films", fraction, mostBytes);
        log.from(0).records().forEach(record -> sample.add(record.record()));
        return sample;
    }

    private static List<String> titles(RowSample sample) {
        List<String> titles = new ArrayList<>();
        sample.forEach((key, row) -> titles.add(row.tree().path("title").asText()));
        return titles;
    }

    private static String film(long id, String title) {
        return "{\"id\":" + id + ",\"title\":\"" + title + "\"}";
    }
}
