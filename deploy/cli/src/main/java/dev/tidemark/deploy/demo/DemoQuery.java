package dev.tidemark.deploy.demo;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.QueryRequest;

/**
 * A question to an index, and what the fact table must say to the same.
 *
 * @param words the question as a person would ask it
 * @param table the fact table
 * @param query the question to the index
 * @param matches the rows that a scan must find
 * @param keys primary keys, as JSON, that must come out; empty when only the scan is compared
 */
public record DemoQuery(
        String words, String table, QueryRequest query, Predicate<JsonNode> matches, List<String> keys) {

    public DemoQuery {
        keys = List.copyOf(keys);
    }

    /**
     * A question whose answer is compared with a scan alone.
     *
     * @param query as in a URL, not encoded: {@code by_town?town=Redmond}
     */
    static DemoQuery of(String words, String table, String query, Predicate<JsonNode> matches) {
        String[] parts = query.split("[?&]");
        QueryRequest request = QueryRequest.of(parts[0]);
        for (String parameter : List.of(parts).subList(1, parts.length)) {
            String[] pair = parameter.split("=", 2);
            request = request.with(pair[0], pair[1]);
        }
        return new DemoQuery(words, table, request, matches, List.of());
    }

    /** The same question, whose answer must have exactly these primary keys in this order. */
    DemoQuery expecting(String... jsonKeys) {
        return new DemoQuery(words, table, query, matches, List.of(jsonKeys));
    }

    boolean fetchesRows() {
        return query.parameters().contains(Map.entry("fetch", "row"));
    }

    /** The command that asks the same, to be pasted into a shell. */
    public String commandLine() {
        String conditions = query.parameters().stream().map(DemoQuery::argument).collect(Collectors.joining(" "));
        return "tidemark query " + query.index() + " " + conditions;
    }

    private static String argument(Map.Entry<String, String> parameter) {
        String value = parameter.getValue();
        return switch (parameter.getKey()) {
            case "fetch" -> "--fetch-row";
            case "limit" -> "--limit " + value;
            case "order" -> "--order " + value;
            default -> parameter.getKey() + "=" + quoted(value);
        };
    }

    private static String quoted(String value) {
        return value.matches("[\\w.-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
    }
}
