package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * For how long a service did not answer: each time from the first question without an answer to the next answer.
 */
final class Outage {
    private @Nullable Instant since;
    private Duration ended = Duration.ZERO;
    private long times;

    /** A question got an answer. */
    void answered(Instant asked, Instant answered) {
        Instant began = since;
        // With several askers, an old answer may come in after a newer question has failed.
        if (began != null && !asked.isBefore(began)) {
            ended = ended.plus(Duration.between(began, answered));
            since = null;
        }
    }

    /** A question got none. */
    void unanswered(Instant asked) {
        if (since == null) {
            since = asked;
            times++;
        }
    }

    /** All of it, up to now. */
    ProbeReport.Away total(Instant now) {
        Instant began = since;
        return new ProbeReport.Away(times, began == null ? ended : ended.plus(Duration.between(began, now)));
    }
}
