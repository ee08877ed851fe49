package dev.tidemark.writer.outbox;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class TrimmedOutboxTest {
    private long written;

    @ParameterizedTest
    @CsvSource({"0, 100", "99, 100", "101, 101", "2000, 1000", "6000, 1500"})
    void aTrimTakesAStepThatFitsWhatIsRetained(long retained, long step) throws Exception {
        RelayFixture fixture = new RelayFixture(retained);
        fixture.run();

        publishThrough(retained + step - 1, fixture);
        assertThat(trimmed(fixture)).isZero();
        publishThrough(retained + step, fixture);
        assertThat(trimmed(fixture)).isEqualTo(step);
        publishThrough(retained + 2 * step - 1, fixture);
        assertThat(trimmed(fixture)).isEqualTo(step);
        publishThrough(retained + 2 * step, fixture);
        assertThat(trimmed(fixture)).isEqualTo(2 * step);
    }

    private void publishThrough(long sequence, RelayFixture fixture) throws Exception {
        for (; written < sequence; written++) {
            fixture.put(written % 10, "a");
        }
        fixture.run();
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(sequence);
    }

    private static long trimmed(RelayFixture fixture) {
        return fixture.stores().outbox().lowWaterMark();
    }
}
