package dev.tidemark.http;

import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** The parameters of query strings. */
final class QueryText {
    private static final int MOST_SHOWN = 60;

    private QueryText() {}

    /**
     * Each parameter with its values, in the order in which they came.
     *
     * @throws ProblemException 400 that names the parameter whose encoding is broken, or states that there are too many
     */
    static Map<String, List<String>> parameters(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return Map.of();
        }
        limit(1 + text.chars().filter(letter -> letter == '&').count());
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String parameter : text.split("&", -1)) {
            if (!parameter.isEmpty()) {
                add(parameters, parameter);
            }
        }
        return parameters;
    }

    /** Many short parameters become objects of many times their bytes, for which no memory is reserved. */
    private static void limit(long parameters) {
        if (parameters > HttpLimits.MOST_PARAMETERS) {
            throw new ProblemException(Problem.badRequest("expected a query of at most " + HttpLimits.MOST_PARAMETERS
                    + " parameters, but got " + parameters));
        }
    }

    private static void add(Map<String, List<String>> parameters, String parameter) {
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        String value = equals < 0 ? "" : parameter.substring(equals + 1);
        parameters
                .computeIfAbsent(decoded(name, name), key -> new ArrayList<>(1))
                .add(decoded(value, name));
    }

    private static String decoded(String text, String name) {
        try {
            return PercentText.decoded(text, true);
        } catch (CharacterCodingException e) {
            throw new ProblemException(Problem.badRequest(
                    "expected parameter " + shown(name) + " to be percent-encoded UTF-8, but got " + shown(text)));
        }
    }

    /** The beginning of a name or a value, for messages. */
    static String shown(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }
}
