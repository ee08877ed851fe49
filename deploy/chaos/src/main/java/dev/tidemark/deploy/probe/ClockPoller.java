package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.tidemark.runtime.Agent;

/** Reads the writer's commit clock, again and again. */
final class ClockPoller implements Agent {
    private final ProbeTarget target;
    private final ProbeLog log;
    private final Clock clock;
    private final Beat beat;

    ClockPoller(ProbeTarget target, ProbeLog log, Clock clock, Duration interval) {
        this.target = target;
        this.log = log;
        this.clock = clock;
        this.beat = new Beat(clock, interval);
    }

    @Override
    public String roleName() {
        return "probe-clock";
    }

    @Override
    public int doWork() throws InterruptedException {
        beat.await();
        read();
        return 1;
    }

    /** Reads it once; does nothing where the writer does not answer. */
    void read() throws InterruptedException {
        Instant asked = clock.instant();
        try {
            Instant said = target.commitClock();
            log.clockRead(asked, clock.instant(), said);
        } catch (NoAnswerException e) {
            // What an answer says in that clock's time is not judged meanwhile, and counted as such.
        }
    }
}
