package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.ProblemType;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** The parameters of a question, each given once, sorted into those that steer and those that name parts of the key. */
final class Parameters {
    private static final Set<String> STEERING =
            Set.of("order", "limit", "cursor", "fetch", "token", "wait", "max_staleness", "allow_partial");

    private final Map<String, String> steering = new LinkedHashMap<>();
    private final Map<String, String> parts = new LinkedHashMap<>();

    Parameters(Map<String, List<String>> given) throws BadQueryException {
        for (Map.Entry<String, List<String>> parameter : given.entrySet()) {
            String name = parameter.getKey();
            List<String> values = parameter.getValue();
            if (values.size() != 1) {
                throw new BadQueryException(
                        "expected parameter " + name + " once, but got it " + values.size() + " times");
            }
            (STEERING.contains(name) ? steering : parts).put(name, values.get(0));
        }
    }

    /** Conditions on parts of the key: name, with or without an operator, and value as written. */
    Map<String, String> parts() {
        return parts;
    }

    Optional<String> cursor() {
        return Optional.ofNullable(steering.get("cursor"));
    }

    /**
     * One of some words.
     *
     * @return empty when the parameter is not given
     */
    Optional<String> word(String name, String... words) throws BadQueryException {
        String given = steering.get(name);
        if (given != null && !List.of(words).contains(given)) {
            throw new BadQueryException(
                    "expected parameter " + name + " to be " + String.join(" or ", words) + ", but got " + given);
        }
        return Optional.ofNullable(given);
    }

    /**
     * How many entries to answer.
     *
     * @param most how many may be asked for
     */
    int limit(int most) throws BadQueryException {
        String given = steering.get("limit");
        if (given == null) {
            return Math.min(IndexQuery.USUAL_LIMIT, most);
        }
        int limit = given.matches("\\d{1,9}") ? Integer.parseInt(given) : 0;
        if (limit < 1 || limit > most) {
            String message = "expected parameter limit to be a whole number from 1 to " + most + ", but got " + given;
            throw limit < 1
                    ? new BadQueryException(message)
                    : new BadQueryException(message, ProblemType.LIMIT_TOO_LARGE);
        }
        return limit;
    }

    Optional<Duration> duration(String name) throws BadQueryException {
        String given = steering.get(name);
        try {
            return given == null ? Optional.empty() : Optional.of(Durations.parse(given));
        } catch (BadSettingsException e) {
            throw new BadQueryException("parameter " + name + ": " + e.getMessage());
        }
    }

    Optional<SessionToken> token() throws BadTokenException {
        String given = steering.get("token");
        return given == null ? Optional.empty() : Optional.of(SessionToken.decode(given));
    }
}
