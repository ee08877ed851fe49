package dev.tidemark.deploy.probe;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.row.RowVersion;

/** The requests of a prober; each reports its result to the judge. For any thread. */
record ProbeSteps(CanaryRows rows, ProbeTarget target, StalenessJudge judge, Clock clock) {
    /** Writes a value into the row of a partition. */
    void write(int partition, long value) throws InterruptedException {
        Instant invoked = clock.instant();
        try {
            RowVersion version = target.put(rows.table().name(), rows.key(partition), rows.row(partition, value));
            judge.acknowledged(new Canary(partition, version, invoked, clock.instant()));
        } catch (NoAnswerException e) {
            judge.notAcknowledged(invoked, e.refused());
        }
    }

    /** Reads the writer's commit clock; does nothing where the writer does not answer. */
    void readClock() throws InterruptedException {
        Instant asked = clock.instant();
        try {
            Instant shown = target.commitClock();
            judge.clockRead(asked, clock.instant(), shown);
        } catch (NoAnswerException e) {
            // What an answer says in that clock's time is not judged meanwhile, and counted as such.
        }
    }

    /**
     * Asks one worker for the prober's rows, even for those of some partitions only.
     *
     * @param worker which worker, counted from 0
     */
    void query(int worker) throws InterruptedException {
        Instant asked = clock.instant();
        try {
            String path = ServiceCaller.entriesOf(rows.index().qualifiedName(), rows.query()) + "&allow_partial=true";
            JsonNode answer = ProbeTarget.json(target.workers().get(worker), path);
            judge.saw(observation(worker, answer, asked, clock.instant()));
        } catch (NoAnswerException e) {
            judge.queryUnanswered(worker, asked);
        }
    }

    /** Asks a service how stale the index is. */
    void ask(StalenessQuestion question, ServiceCaller service) throws InterruptedException {
        Instant asked = clock.instant();
        try {
            List<StalenessQuestion.Reading> readings = question.ask(service, rows.index());
            Instant answered = clock.instant();
            readings.forEach(one -> judge.claimed(
                    new ReportedStaleness(one.source(), one.partitions(), asked, answered, one.seconds())));
        } catch (NoAnswerException e) {
            question.sources().forEach(judge::unanswered);
        }
    }

    private Observation observation(int worker, JsonNode answer, Instant asked, Instant answered)
            throws NoAnswerException {
        JsonNode freshness = answer.path("freshness");
        JsonNode staleness = freshness.path("stalenessMs");
        Set<Integer> missing = new HashSet<>();
        freshness.path("missingPartitions").forEach(partition -> missing.add(partition.asInt()));
        try {
            return new Observation(
                    worker,
                    asked,
                    answered,
                    rows.visible(answer),
                    missing,
                    staleness.isNumber() ? OptionalDouble.of(staleness.asDouble() / 1e3) : OptionalDouble.empty(),
                    Optional.of(freshness.path("completeUpTo").asText(""))
                            .filter(text -> !text.isEmpty() && !text.equals("null"))
                            .map(Instant::parse));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new NoAnswerException("the worker answered a query in a way that is not understood: " + e, false);
        }
    }
}
