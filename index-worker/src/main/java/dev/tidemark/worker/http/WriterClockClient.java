package dev.tidemark.worker.http;

import java.io.IOException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.worker.clocks.ClockSource;
import dev.tidemark.worker.clocks.CommitBound;

/** Asks the writer service for its time. */
public final class WriterClockClient implements ClockSource {
    private static final Logger LOGGER = LoggerFactory.getLogger(WriterClockClient.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int MOST_BYTES = 4 << 10;

    private final ServiceConnection writer;

    public WriterClockClient(ServiceConnection writer) {
        this.writer = writer;
    }

    @Override
    public Optional<ClockReading> ask(Clock local) throws InterruptedException {
        try (WriterCallLimit.Turn turn = WriterCallLimit.alone(PATIENCE, local)) {
            Instant sent = local.instant();
            ServiceConnection.Answer answer = writer.send(Question.get("/v1/clock"), turn, MOST_BYTES);
            Instant received = local.instant();
            if (answer.status() != 200) {
                LOGGER.debug("The writer answered with status {} when asked for its time", answer.status());
                return Optional.empty();
            }
            JsonNode json = RowJson.parseEnvelope(answer.body());
            Instant remote = Instant.parse(json.path("now").asText());
            return Optional.of(new ClockReading(
                    sent, received, remote, json.path("process").asText(), bound(json, sent)));
        } catch (IOException | BadJsonException | DateTimeException | IllegalArgumentException e) {
            LOGGER.debug("The writer does not report its time", e);
            return Optional.empty();
        }
    }

    /** A writer that has been replaced does not know of versions that were given since. */
    private static Optional<CommitBound> bound(JsonNode json, Instant sent) {
        double age = Math.max(0, json.path("versionAgeSeconds").asDouble());
        return Optional.ofNullable(json.path("version").textValue())
                .map(version ->
                        new CommitBound(sent.minusMillis((long) Math.ceil(age * 1_000)), RowVersion.parse(version)));
    }
}
