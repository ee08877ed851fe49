package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.tidemark.runtime.Agent;

/** Reads the writer's commit clock, again and again. */
final class ClockPoller implements Agent {
    private final ProbeTarget target;
    private final Notebook notebook;
    private final Clock clock;
    private final Beat beat;

    ClockPoller(ProbeTarget target, Notebook notebook, Clock clock, Duration interval) {
        this.target = target;
        this.notebook = notebook;
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
            notebook.clockRead(asked, clock.instant(), said);
        } catch (NoAnswerException e) {
            // What an answer says in that clock's time is not judged meanwhile, and counted as such.
        }
    }
}
