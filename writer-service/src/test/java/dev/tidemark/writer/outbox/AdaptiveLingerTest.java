package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static org.assertj.core.api.Assertions.assertThat;

class AdaptiveLingerTest {
    private static final Duration MILLI = Duration.ofMillis(1);

    private final AdaptiveLinger pace = new AdaptiveLinger();
    private Instant now = timeOf(10);

    @Test
    void holdsNothingBackAtFirst() {
        assertThat(pace.isDue(1, now)).isTrue();
    }

    @Test
    void holdsNothingBackWhileFewChangesCome() {
        come(AdaptiveLinger.BUSY.perSecond() / 1_000 - 1, Duration.ofMillis(200));
        assertThat(pace.isDue(1, now)).isTrue();
    }

    @Test
    void letsFewChangesWaitWhileManyCome() {
        come(AdaptiveLinger.BUSY.perSecond() / 1_000 + 2, Duration.ofMillis(200));
        assertThat(pace.isDue(1, now.plus(MILLI))).isFalse();
        assertThat(pace.isDue(AdaptiveLinger.BUSY.enough() - 1, now.plus(MILLI)))
                .isFalse();
    }

    @Test
    void letsNeitherManyWaitNorAnyForLong() {
        come(AdaptiveLinger.BUSY.perSecond() / 500, Duration.ofMillis(200));
        assertThat(pace.isDue(AdaptiveLinger.BUSY.enough(), now.plus(MILLI))).isTrue();
        assertThat(pace.isDue(1, now.plus(AdaptiveLinger.BUSY.longestWait()))).isTrue();
        assertThat(pace.isDue(1, now.plus(AdaptiveLinger.BUSY.longestWait().minusNanos(1))))
                .isFalse();
    }

    @Test
    void letsTheWritesOfAFullMachineWaitLonger() {
        come(AdaptiveLinger.BUSIER.perSecond() / 1_000 + 1, Duration.ofSeconds(5));
        assertThat(pace.isDue(AdaptiveLinger.BUSIER.enough() - 1, now.plus(AdaptiveLinger.BUSY.longestWait())))
                .isFalse();
        assertThat(pace.isDue(AdaptiveLinger.BUSIER.enough(), now.plus(MILLI))).isTrue();
        assertThat(pace.isDue(1, now.plus(AdaptiveLinger.BUSIER.longestWait()))).isTrue();
    }

    @Test
    void takesNoBurstForAFullMachine() {
        come(AdaptiveLinger.BUSIER.perSecond() / 1_000 - 2, Duration.ofSeconds(5));
        pace.handedOver(1_000, now);
        assertThat(pace.isDue(1, now.plus(AdaptiveLinger.BUSY.longestWait()))).isTrue();
    }

    @Test
    void forgetsWhatCameLongAgo() {
        come(AdaptiveLinger.BUSY.perSecond() / 500, Duration.ofMillis(200));
        now = now.plus(Duration.ofSeconds(1));
        pace.handedOver(1, now);
        assertThat(pace.isDue(1, now)).isTrue();
    }

    @Test
    void letsNothingWaitForAClockThatWasSetBack() {
        come(AdaptiveLinger.BUSY.perSecond() / 500, Duration.ofMillis(200));
        now = now.minus(Duration.ofHours(1));
        assertThat(pace.isDue(1, now)).isTrue();
        pace.handedOver(1, now);
        assertThat(pace.isDue(1, now)).isFalse();
        assertThat(pace.isDue(1, now.plus(AdaptiveLinger.BUSY.longestWait()))).isTrue();
    }

    @Test
    void letsChangesWaitFromTheVeryNumberOn() {
        int busy = AdaptiveLinger.BUSY.perSecond() / 50;
        pace.handedOver(busy - 1, now);
        assertThat(pace.isDue(1, now.plus(MILLI))).isTrue();

        AdaptiveLinger other = new AdaptiveLinger();
        other.handedOver(busy, now);
        assertThat(other.isDue(1, now.plus(MILLI))).isFalse();
    }

    @Test
    void letsChangesWaitLongerFromTheVeryNumberOn() {
        Instant later = now.plus(AdaptiveLinger.BUSY.longestWait());
        pace.handedOver(AdaptiveLinger.BUSIER.perSecond() - 1, now);
        assertThat(pace.isDue(1, later)).isTrue();

        AdaptiveLinger other = new AdaptiveLinger();
        other.handedOver(AdaptiveLinger.BUSIER.perSecond(), now);
        assertThat(other.isDue(1, later)).isFalse();
    }

    @Test
    void theRelayLetsFewChangesWaitThatComeRightAfterMany() throws Exception {
        RelayFixture fixture = new RelayFixture();
        fixture.run();
        int many = AdaptiveLinger.BUSY.perSecond() / 25;
        for (int i = 0; i < many; i++) {
            fixture.put(i % 10, "a");
        }
        fixture.step();
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(many);

        fixture.put(1, "b");
        fixture.step();
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(many);

        fixture.clock.advance(AdaptiveLinger.BUSY.longestWait());
        fixture.step();
        assertThat(fixture.stores().outbox().publishedThrough()).isEqualTo(many + 1);
    }

    /** So many changes come and are handed over each millisecond. */
    private void come(int changes, Duration time) {
        Instant end = now.plus(time);
        while (now.isBefore(end)) {
            now = now.plus(MILLI);
            pace.handedOver(changes, now);
        }
    }
}
