package dev.tidemark.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;

class FatalErrorAgentTest {
    private final ManualClock clock = new ManualClock();
    private final List<String> ended = new ArrayList<>();
    private Optional<String> reason = Optional.empty();
    private final FatalErrorAgent agent = new FatalErrorAgent(() -> reason, Duration.ofSeconds(1), clock, ended::add);

    @Test
    void endsTheProcessAMomentAfterThereWasAReason() {
        agent.doWork();
        clock.advance(Duration.ofHours(1));
        reason = Optional.of("the disk failed");
        agent.doWork();
        clock.advance(Duration.ofMillis(999));
        agent.doWork();
        assertThat(ended).isEmpty();

        clock.advance(Duration.ofMillis(1));
        agent.doWork();

        assertThat(ended).containsExactly("the disk failed");
    }

    @Test
    void staysWhereTheReasonHasGoneInTheMeantime() {
        reason = Optional.of("the disk failed");
        agent.doWork();
        reason = Optional.empty();
        agent.doWork();
        clock.advance(Duration.ofSeconds(2));
        agent.doWork();
        reason = Optional.of("the disk failed");
        agent.doWork();

        assertThat(ended).isEmpty();
    }
}
