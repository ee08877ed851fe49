package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.SourceMark;

import static org.assertj.core.api.Assertions.assertThat;

class SourceWatermarksTest {
    private final RelayFixture writer = new RelayFixture();

    @Test
    void heartbeatsOfATableThatClientsWriteNameNoSource() throws Exception {
        writer.put(1, "a");
        writer.settle();

        assertThat(newest().source()).isEmpty();
        assertThat(writer.log.published()).allMatch(one -> one.source().isEmpty());
    }

    @Test
    void untilTheFirstWatermarkHeartbeatsSayThatNothingIsKnown() throws Exception {
        writer.follow();
        writer.bring(0, Optional.empty(), 1);
        writer.settle();

        assertThat(newest().source()).contains(new SourceMark(Optional.empty()));
        assertThat(newest().frontier().sequence()).isEqualTo(1);
    }

    @Test
    void heartbeatsSayTheWatermarkOfTheSourceAndChangesItsName() throws Exception {
        writer.follow();
        Instant watermark = writer.clock.instant().minusSeconds(3);
        writer.bring(0, Optional.of(watermark), 1);
        writer.settle();

        assertThat(newest().source()).contains(new SourceMark(Optional.of(watermark)));
        assertThat(writer.log.published().stream().filter(one -> one.message() instanceof ChangeEvent))
                .isNotEmpty()
                .allMatch(one -> one.source().equals(Optional.of("shop")));
    }

    @Test
    void aWatermarkIsNotPublishedBeforeTheChangesThatItIsAbout() throws Exception {
        writer.follow();
        Instant first = writer.clock.instant().minusSeconds(9);
        Instant second = writer.clock.instant().minusSeconds(3);
        writer.bring(0, Optional.of(first), 1);
        writer.settle();

        writer.log.setSilent(true);
        writer.bring(1, Optional.of(second), 2);
        for (int i = 0; i < 50; i++) {
            writer.idle();
            writer.step();
            writer.clock.advance(Duration.ofMillis(20));
        }
        assertThat(newest().source()).contains(new SourceMark(Optional.of(first)));

        writer.log.setSilent(false);
        writer.settle();
        assertThat(newest().source()).contains(new SourceMark(Optional.of(second)));
    }

    @Test
    void whatIsStoredIsKnownAfterARestart() throws Exception {
        writer.follow();
        Instant watermark = writer.clock.instant().minusSeconds(3);
        writer.bring(0, Optional.of(watermark), 1);
        writer.restart(0);
        writer.settle();

        assertThat(newest().source()).contains(new SourceMark(Optional.of(watermark)));
    }

    @Test
    void aBatchWithoutChangesMovesTheWatermark() throws Exception {
        writer.follow();
        writer.bring(0, Optional.empty(), 1);
        Instant watermark = writer.clock.instant().minusSeconds(3);
        writer.bring(1, Optional.of(watermark));
        writer.settle();

        assertThat(newest().source()).contains(new SourceMark(Optional.of(watermark)));
    }

    private Heartbeat newest() {
        return writer.heartbeat(0).orElseThrow();
    }
}
