package dev.tidemark.worker.http;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.SpelledValue;

/** Primary keys in requests: the parts joined by commas, each percent-encoded and the JSON that it spells. */
final class RowKeys {
    private RowKeys() {}

    /**
     * The key in a query parameter.
     *
     * @throws BadInputException when it is not a key of the table
     * @throws ProblemException 400 when the parameter is not there once, or its encoding is broken
     */
    static KeyBytes parameter(Call call, String name, TableDefinition table) throws BadInputException {
        String whole = Requests.parameter(call, name)
                .orElseThrow(() -> new ProblemException(Problem.badRequest("expected parameter " + name
                        + " with the primary key " + table.primaryKey() + " of a row of table " + table.name())));
        if (table.primaryKey().size() == 1) {
            return table.keyFromSpelled(List.of(whole));
        }
        List<String> parts = parts(call.queryString(), name);
        // Clients that encode every comma leave one part, which is then split as it reads.
        return table.keyFromSpelled(parts.size() == 1 ? List.of(whole.split(",", -1)) : parts);
    }

    /** The parts of a key as a path has them. */
    static String inPath(JsonNode key) {
        List<String> parts = new ArrayList<>();
        if (key.isArray()) {
            key.forEach(part -> parts.add(encoded(part)));
        } else {
            parts.add(encoded(key));
        }
        return String.join(",", parts);
    }

    /** Split before it is decoded, so that an encoded comma stays in its part. */
    private static List<String> parts(@Nullable String query, String name) {
        List<String> decoded = new ArrayList<>();
        for (String parameter : Optional.ofNullable(query).orElse("").split("&", -1)) {
            if (parameter.startsWith(name + "=")) {
                for (String part : parameter.substring(name.length() + 1).split(",", -1)) {
                    decoded.add(URLDecoder.decode(part, StandardCharsets.UTF_8));
                }
            }
        }
        return decoded;
    }

    private static String encoded(JsonNode part) {
        // Quotes keep a text a text, even where it reads like a number.
        String text = part.isTextual() ? part.toString() : SpelledValue.write(part);
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
