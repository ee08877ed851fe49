package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.runtime.Agent;

/** Asks the index for the prober's rows, again and again. */
final class AnswerPoller implements Agent {
    private final CanaryRows rows;
    private final Map<String, String> query;
    private final ProbeTarget target;
    private final Notebook notebook;
    private final Clock clock;
    private final Beat beat;

    AnswerPoller(CanaryRows rows, ProbeTarget target, Notebook notebook, Clock clock, Duration interval) {
        this.rows = rows;
        this.query = rows.query();
        this.target = target;
        this.notebook = notebook;
        this.clock = clock;
        this.beat = new Beat(clock, interval);
    }

    @Override
    public String roleName() {
        return "probe-answers";
    }

    @Override
    public int doWork() throws InterruptedException {
        beat.await();
        Instant asked = clock.instant();
        try {
            JsonNode answer = target.query(rows.index().qualifiedName(), query);
            notebook.saw(sighting(answer, asked, clock.instant()));
        } catch (NoAnswerException e) {
            notebook.queryUnanswered(asked);
        }
        return 1;
    }

    private Sighting sighting(JsonNode answer, Instant asked, Instant answered) throws NoAnswerException {
        JsonNode freshness = answer.path("freshness");
        JsonNode staleness = freshness.path("stalenessMs");
        try {
            return new Sighting(
                    asked,
                    answered,
                    rows.visible(answer),
                    staleness.isNumber() ? OptionalDouble.of(staleness.asDouble() / 1e3) : OptionalDouble.empty(),
                    Optional.of(freshness.path("completeUpTo").asText(""))
                            .filter(text -> !text.isEmpty() && !text.equals("null"))
                            .map(Instant::parse));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new NoAnswerException("the worker answered a query in a way that is not understood: " + e, false);
        }
    }
}
