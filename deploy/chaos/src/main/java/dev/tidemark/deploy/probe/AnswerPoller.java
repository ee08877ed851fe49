package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.runtime.Agent;

/** Asks one worker for the prober's rows, again and again, even for those of some partitions only. */
final class AnswerPoller implements Agent {
    private static final Map<String, String> WHATEVER_IS_THERE = Map.of("allow_partial", "true");

    private final int number;
    private final WorkerTarget worker;
    private final CanaryRows rows;
    private final Map<String, String> query;
    private final ProbeLog log;
    private final Clock clock;
    private final Beat beat;

    /**
     * A poller of one worker.
     *
     * @param number which worker, counted from 0
     */
    AnswerPoller(int number, WorkerTarget worker, CanaryRows rows, ProbeLog log, Clock clock, Duration interval) {
        this.number = number;
        this.worker = worker;
        this.rows = rows;
        this.query = new LinkedHashMap<>(rows.query());
        this.query.putAll(WHATEVER_IS_THERE);
        this.log = log;
        this.clock = clock;
        this.beat = new Beat(clock, interval);
    }

    @Override
    public String roleName() {
        return "probe-answers-" + number;
    }

    @Override
    public int doWork() throws InterruptedException {
        beat.await();
        Instant asked = clock.instant();
        try {
            JsonNode answer = worker.query(rows.index().qualifiedName(), query);
            log.saw(sighting(answer, asked, clock.instant()));
        } catch (NoAnswerException e) {
            log.queryUnanswered(number, asked);
        }
        return 1;
    }

    private Observation sighting(JsonNode answer, Instant asked, Instant answered) throws NoAnswerException {
        JsonNode freshness = answer.path("freshness");
        JsonNode staleness = freshness.path("stalenessMs");
        try {
            return new Observation(
                    number,
                    asked,
                    answered,
                    rows.visible(answer),
                    missing(freshness),
                    staleness.isNumber() ? OptionalDouble.of(staleness.asDouble() / 1e3) : OptionalDouble.empty(),
                    Optional.of(freshness.path("completeUpTo").asText(""))
                            .filter(text -> !text.isEmpty() && !text.equals("null"))
                            .map(Instant::parse));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new NoAnswerException("the worker answered a query in a way that is not understood: " + e, false);
        }
    }

    private static Set<Integer> missing(JsonNode freshness) {
        Set<Integer> missing = new HashSet<>();
        freshness.path("missingPartitions").forEach(partition -> missing.add(partition.asInt()));
        return missing;
    }
}
