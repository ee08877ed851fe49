package dev.tidemark.deploy.bench;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.SteadyClock;

import static org.assertj.core.api.Assertions.assertThat;

final class OpenLoopTest {
    private final Clock clock = new SteadyClock();
    private final List<Instant> dues = new ArrayList<>();
    private final List<Instant> sent = new ArrayList<>();

    @Test
    void sendsNothingBeforeItIsDue() throws InterruptedException {
        Load.of(500, Duration.ofMillis(100)).send(clock, (burst, due) -> send(due));

        assertThat(sent).hasSize(50);
        for (int i = 0; i < sent.size(); i++) {
            assertThat(sent.get(i)).isAfterOrEqualTo(dues.get(i));
        }
    }

    @Test
    void leavesTheDueTimesAloneWhenASendingTakesLong() throws InterruptedException {
        Load.of(100, Duration.ofMillis(100)).send(clock, (burst, due) -> {
            send(due);
            Instant end = clock.instant().plusMillis(burst == 3 ? 50 : 0);
            while (clock.instant().isBefore(end)) {
                Thread.onSpinWait();
            }
        });

        for (int i = 1; i < dues.size(); i++) {
            assertThat(Duration.between(dues.get(0), dues.get(i))).isEqualTo(Duration.ofMillis(10L * i));
        }
        assertThat(sent.get(4)).isAfterOrEqualTo(dues.get(4).plusMillis(40));
    }

    private void send(Instant due) {
        dues.add(due);
        sent.add(clock.instant());
    }
}
