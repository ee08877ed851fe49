package dev.tidemark.deploy.oracle;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.oracle.RowTimeline.State;
import dev.tidemark.index.IndexDefinition;

/**
 * Whether an answer that was given while rows were written can be right: of every row it holds exactly the entries that
 * one state of the row gives, and that state was there at some moment between the one up to which the answer says it is
 * complete, and its end.
 *
 * @param table with the row's place
 * @param index that was asked
 * @param value that the first part of the key was asked to have
 */
public record AnswerJudge(TableDefinition table, IndexDefinition index, JsonNode value) {

    /**
     * What is wrong with the entries of one row; empty when nothing is.
     *
     * @param key primary key of the row
     * @param states in which the row may be seen
     * @param entries those of the row, as they were answered
     */
    public List<String> judge(JsonNode key, List<State> states, List<JsonNode> entries) {
        List<String> found =
                entries.stream().map(ExpectedEntries::textOf).sorted().toList();
        String version = entries.isEmpty() ? "" : entries.get(0).path("version").asText();
        for (State state : states) {
            if (found.equals(expected(key, state, version))) {
                return List.of();
            }
        }
        return List.of(index.qualifiedName() + " for " + value + " answered " + found + " of row " + Canonical.text(key)
                + ", which can only be " + states.size() + " states, the last " + states.get(states.size() - 1));
    }

    /** The entries of an answer by the canonical text of their rows' keys. */
    public static Map<String, List<JsonNode>> byRow(JsonNode answer) {
        Map<String, List<JsonNode>> rows = new TreeMap<>();
        for (JsonNode entry : answer.path("entries")) {
            rows.computeIfAbsent(Canonical.text(entry.path("primaryKey")), key -> new ArrayList<>())
                    .add(entry);
        }
        return rows;
    }

    /**
     * Returns up to when an answer claims to be complete, by the caller's clock; {@link Instant#MIN} when it makes no
     * claim.
     *
     * @param asked before the question was sent
     */
    public static Instant completeUpTo(JsonNode answer, Instant asked) {
        JsonNode staleness = answer.path("freshness").path("stalenessMs");
        return staleness.isNumber() ? asked.minusMillis(staleness.asLong()) : Instant.MIN;
    }

    private List<String> expected(JsonNode key, State state, String answered) {
        if (state.row().isEmpty()) {
            return List.of();
        }
        String version = state.version().isEmpty() ? answered : state.version();
        return ExpectedEntries.of(
                        table,
                        index,
                        List.of(new Fact(key, version, state.row().get())),
                        parts -> ValueOrder.INSTANCE.compare(parts.get(0), value) == 0)
                .stream()
                .sorted()
                .toList();
    }
}
