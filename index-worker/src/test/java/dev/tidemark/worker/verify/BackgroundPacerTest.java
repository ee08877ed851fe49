package dev.tidemark.worker.verify;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.SettableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BackgroundPacerTest {
    private final SettableClock clock = new SettableClock(ChangeLog.at(0));

    @AfterEach
    void forgetInterrupts() {
        Thread.interrupted();
    }

    @Test
    void asksUntilTheAnswerIsYes() throws Exception {
        AtomicInteger asked = new AtomicInteger();

        assertThat(new Verifier.BackgroundPacer(clock, () -> false).until(() -> asked.incrementAndGet() == 3))
                .isTrue();
        assertThat(asked).hasValue(3);
    }

    @Test
    void aPassThatSomebodyWaitsForDoesNotRestButEndsWhenInterrupted() throws Exception {
        Verifier.BackgroundPacer pacer = new Verifier.BackgroundPacer(clock, () -> false);
        clock.advance(Duration.ofDays(1));
        assertThatCode(pacer::worked).doesNotThrowAnyException();

        Thread.currentThread().interrupt();

        assertThatThrownBy(pacer::worked)
                .isInstanceOf(InterruptedException.class)
                .hasMessage("interrupted while verifying");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aPassInTheBackgroundRestsAfterItsWorkUnlessInterrupted() {
        Verifier.BackgroundPacer pacer = new Verifier.BackgroundPacer(clock, () -> true);
        clock.advance(Duration.ofMillis(1));
        Thread.currentThread().interrupt();

        assertThatThrownBy(pacer::worked)
                .isInstanceOf(InterruptedException.class)
                .hasMessage("sleep interrupted");
    }

    @Test
    void onlyAPassThatSomebodyWaitsForAsksABusyWriterAgain() throws Exception {
        assertThat(new Verifier.BackgroundPacer(clock, () -> true).again()).isFalse();
        assertThat(new Verifier.BackgroundPacer(clock, () -> false).again()).isTrue();
    }
}
