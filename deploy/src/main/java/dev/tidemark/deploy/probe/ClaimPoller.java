package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.tidemark.runtime.Agent;

/** Asks one service how stale the index is, again and again. */
final class ClaimPoller implements Agent {
    private final String name;
    private final Question question;
    private final Notebook notebook;
    private final Clock clock;
    private final Beat beat;

    /** What is asked. */
    interface Question {
        /** The sources that answer. */
        List<Source> sources();

        /** One claim of each source, or one for each partition. */
        List<Said> ask() throws NoAnswerException, InterruptedException;
    }

    ClaimPoller(String name, Question question, Notebook notebook, Clock clock, Duration interval) {
        this.name = name;
        this.question = question;
        this.notebook = notebook;
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
            List<Said> said = question.ask();
            Instant answered = clock.instant();
            notebook.claimed(said.stream()
                    .map(one -> new Claim(one.source(), one.partitions(), asked, answered, one.seconds()))
                    .toList());
        } catch (NoAnswerException e) {
            notebook.unanswered(question.sources());
        }
        return 1;
    }
}
