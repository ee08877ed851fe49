package dev.tidemark.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The query parameters that a call takes. A misspelt one must not be ignored: the call would do something else than was
 * meant.
 *
 * @param names of all that it takes; empty where the call looks at them itself
 */
public record ParameterRule(Optional<List<String>> names) {
    static final ParameterRule NONE = new ParameterRule(Optional.of(List.of()));
    static final ParameterRule ANY = new ParameterRule(Optional.empty());

    static ParameterRule of(String... names) {
        return new ParameterRule(Optional.of(List.of(names)));
    }

    /**
     * Looks at the parameters of a request.
     *
     * @throws ProblemException 400 that names the first one that the call does not take
     */
    void check(Map<String, List<String>> given) {
        if (given.isEmpty() || names.isEmpty()) {
            return;
        }
        List<String> taken = names.get();
        for (String name : given.keySet()) {
            if (!taken.contains(name)) {
                String expected = taken.isEmpty() ? "" : " other than " + String.join(", ", taken);
                throw new ProblemException(
                        Problem.badRequest("expected no parameters" + expected + ", but got " + QueryText.shown(name)));
            }
        }
    }
}
