package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.tidemark.runtime.Agent;

/** Asks one service how stale the index is, again and again. */
final class StalenessPoller implements Agent {
    private final String name;
    private final Question question;
    private final ProbeLog log;
    private final Clock clock;
    private final Beat beat;

    /** What is asked. */
    interface Question {
        /** The sources that answer. */
        List<Source> sources();

        /** One claim of each source, or one for each partition. */
        List<StalenessReading> ask() throws NoAnswerException, InterruptedException;
    }

    StalenessPoller(String name, Question question, ProbeLog log, Clock clock, Duration interval) {
        this.name = name;
        this.question = question;
        this.log = log;
        this.clock = clock;
        this.beat = new Beat(clock, interval);
    }

    @Override
    public String roleName() {
        return name;
    }

    @Override
    public int doWork() throws InterruptedException {
        beat.await();
        Instant asked = clock.instant();
        try {
            List<StalenessReading> said = question.ask();
            Instant answered = clock.instant();
            log.claimed(said.stream()
                    .map(one -> new ReportedStaleness(one.source(), one.partitions(), asked, answered, one.seconds()))
                    .toList());
        } catch (NoAnswerException e) {
            log.unanswered(question.sources());
        }
        return 1;
    }
}
