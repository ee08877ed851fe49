package dev.tidemark.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * What a service answered.
 *
 * @param url of the service
 * @param status HTTP status
 * @param body missing where it is no JSON
 */
record Answer(URI url, int status, HttpHeaders headers, JsonNode body) {
    /** Kinds of 503 that a service answers only where it did nothing. */
    private static final Set<String> NOT_DONE = Set.of("tidemark:no-memory", "tidemark:writes-unavailable");

    /** Rows are converted by the mapper of the options later, so that no setting of it changes keys and the like. */
    private static final ObjectMapper EXACT = Options.usualMapper();

    static Answer of(URI url, HttpResponse<byte[]> response) {
        JsonNode body;
        try {
            body = EXACT.readTree(response.body());
        } catch (IOException e) {
            body = MissingNode.getInstance();
        }
        return new Answer(url, response.statusCode(), response.headers(), body);
    }

    boolean isSuccess() {
        return status / 100 == 2 && body.isObject();
    }

    Problem problem() {
        return Problem.of(status, body);
    }

    /**
     * Whether it is certain that nothing was done. A proxy does not know; neither does a service that failed, or that
     * could not finish what it had begun. Of a load that stopped midway, the first lines are done.
     */
    boolean isNotDone() {
        if (body.path("committed").asLong() > 0) {
            return false;
        }
        return status == 503 ? NOT_DONE.contains(problem().type()) : (status >= 300 && status < 500);
    }

    /** How long to wait before another attempt; empty where the service leaves that open. */
    Optional<Duration> retryAfter(Instant now) {
        return headers.firstValue("Retry-After").map(String::strip).flatMap(text -> {
            if (text.matches("\\d{1,9}")) {
                return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
            }
            // By the clock of the service, where it shows one.
            Instant from = headers.firstValue("Date").flatMap(Answer::date).orElse(now);
            return date(text).map(then -> then.isAfter(from) ? Duration.between(from, then) : Duration.ZERO);
        });
    }

    private static Optional<Instant> date(String text) {
        try {
            return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
