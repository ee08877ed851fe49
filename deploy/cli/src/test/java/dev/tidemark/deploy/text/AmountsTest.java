package dev.tidemark.deploy.text;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class AmountsTest {

    @Test
    void writesSecondsInTheUnitThatFits() {
        assertThat(Amounts.seconds(0)).isEqualTo("0 ms");
        assertThat(Amounts.seconds(0.1324)).isEqualTo("132 ms");
        assertThat(Amounts.seconds(0.9996)).isEqualTo("1.0 s");
        assertThat(Amounts.seconds(4.21)).isEqualTo("4.2 s");
        assertThat(Amounts.seconds(210)).isEqualTo("3.5 min");
        assertThat(Amounts.seconds(7_200)).isEqualTo("2.0 h");
        assertThat(Amounts.seconds(172_800)).isEqualTo("2.0 d");
    }

    @Test
    void roundsAnUpperBoundUp() {
        assertThat(Amounts.atMost(0.0)).isEqualTo("0 ms");
        assertThat(Amounts.atMost(0.1321)).isEqualTo("133 ms");
        assertThat(Amounts.atMost(0.9991)).isEqualTo("1.0 s");
        assertThat(Amounts.atMost(1.1)).isEqualTo("1.1 s");
        assertThat(Amounts.atMost(4.21)).isEqualTo("4.3 s");
        assertThat(Amounts.atMost(210.1)).isEqualTo("3.6 min");
        assertThat(Amounts.atMost(7_200.5)).isEqualTo("2.1 h");
        assertThat(Amounts.atMost(172_801.0)).isEqualTo("2.1 d");
        assertThat(Amounts.atMost(Duration.ofMillis(200))).isEqualTo("200 ms");
        assertThat(Amounts.atMost((Double) null)).isEqualTo("unknown");
    }

    @Test
    void writesBytesInTheUnitThatFits() {
        assertThat(Amounts.bytes(999)).isEqualTo("999 B");
        assertThat(Amounts.bytes(999_949)).isEqualTo("999.9 kB");
        assertThat(Amounts.bytes(999_950)).isEqualTo("1.0 MB");
        assertThat(Amounts.bytes(5_000_000_000_000_000L)).isEqualTo("5000.0 TB");
    }

    @Test
    void saysUnknownAndNeverZeroWhenNothingIsKnown() {
        assertThat(Amounts.seconds((Double) null)).isEqualTo("unknown");
    }

    @Test
    void namesOneAndManyDifferently() {
        assertThat(Amounts.count(1, "row", "rows")).isEqualTo("1 row");
        assertThat(Amounts.count(15_291, "row", "rows")).isEqualTo("15,291 rows");
    }

    @Test
    void givesARateEvenWhenNoTimePassed() {
        assertThat(Amounts.rate(10, Duration.ZERO)).isEqualTo("10,000");
        assertThat(Amounts.rate(10, Duration.ofSeconds(4))).isEqualTo("3");
    }
}
