package dev.tidemark.worker.clocks;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;

/** Requests the writer's time, and logs a warning when it is far from this process's. */
public final class ClockAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(ClockAgent.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Duration WHILE_UNCERTAIN = Duration.ofMillis(200);

    /** Clocks further apart than this are worth a line in the log; so is another such change of their difference. */
    private static final Duration LARGE = Duration.ofSeconds(1);

    private final WriterClockEstimator estimate;
    private final ClockSource source;
    private final Clock clock;
    private Instant asked = Instant.MIN;
    private boolean answering;
    /** The difference of the clocks that was logged last. */
    private Duration reported = Duration.ZERO;

    public ClockAgent(WriterClockEstimator estimate, ClockSource source, Clock clock) {
        this.estimate = estimate;
        this.source = source;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "clock";
    }

    @Override
    public int doWork() throws InterruptedException {
        Duration interval = answering && !estimate.isInDoubt() ? INTERVAL : WHILE_UNCERTAIN;
        Instant now = clock.instant();
        if (now.isBefore(asked.plus(interval))) {
            return 0;
        }
        asked = now;
        Optional<ClockReading> reading = source.ask(clock);
        reading.ifPresentOrElse(estimate::answered, () -> estimate.unanswered(clock.instant()));
        answering = reading.isPresent();
        estimate.skew().ifPresent(skew -> report(skew, estimate.isKnown()));
        return 1;
    }

    private void report(Duration skew, boolean known) {
        if (skew.minus(reported).abs().compareTo(LARGE) <= 0) {
            return;
        }
        reported = skew;
        if (skew.abs().compareTo(LARGE) <= 0) {
            LOGGER.info("The clocks of the writer and of this worker agree again");
        } else if (known) {
            LOGGER.warn(
                    "The writer's clock is {} s {} this worker's; lag is measured on the writer's",
                    skew.abs().toSeconds(),
                    skew.isNegative() ? "behind" : "ahead of");
        } else {
            LOGGER.warn(
                    "The writer's clock is ahead of this worker's by {} s or more, and the writer does not report its"
                            + " time; lag is unknown until it does, see writer.url",
                    skew.toSeconds());
        }
    }
}
