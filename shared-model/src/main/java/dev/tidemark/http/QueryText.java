package dev.tidemark.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** The parameters of plain query strings. */
final class QueryText {
    private QueryText() {}

    /** Each parameter with its value; null where one is there twice, or the text is not {@code name=value&name=value}. */
    static @Nullable Map<String, List<String>> parameters(@Nullable String text) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        int at = 0;
        while (text != null && at < text.length()) {
            int ampersand = text.indexOf('&', at);
            int end = ampersand < 0 ? text.length() : ampersand;
            int equals = text.indexOf('=', at);
            if (equals <= at || equals >= end || text.substring(equals + 1, end).indexOf('=') >= 0) {
                return null;
            }
            String value = decoded(text.substring(equals + 1, end));
            if (parameters.put(decoded(text.substring(at, equals)), List.of(value)) != null) {
                return null;
            }
            at = end + 1;
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
