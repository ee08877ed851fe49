package dev.tidemark.writer.http;

import java.util.List;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;

/** What is different between two versions of the definitions, as answers show it. */
final class ChangesJson {
    private ChangesJson() {}

    /** The changes with the generation that each index has afterwards, or, where it is dropped, had before. */
    static ArrayNode of(Definitions before, Definitions after) {
        ArrayNode json = RowJson.mapper().createArrayNode();
        for (IndexChange change : before.diff(after.catalog())) {
            ObjectNode one = json.addObject();
            fill(one, change);
            Definitions holder = change instanceof IndexChange.Drop ? before : after;
            IndexDefinition index = change.index();
            holder.index(index.table(), index.name())
                    .map(DesiredIndex::current)
                    .ifPresent(current -> one.put("generation", current.id()));
        }
        return json;
    }

    static ArrayNode of(List<IndexChange> changes) {
        ArrayNode json = RowJson.mapper().createArrayNode();
        changes.forEach(change -> fill(json.addObject(), change));
        return json;
    }

    /** Describes the changes in words, as made by another client. */
    static String text(List<IndexChange> changes) {
        return changes.isEmpty()
                ? "look at GET /v1/catalog for what it is now"
                : "in between, somebody did "
                        + changes.stream()
                                .map(change ->
                                        change.action() + " " + change.index().qualifiedName())
                                .collect(Collectors.joining(", "));
    }

    private static void fill(ObjectNode json, IndexChange change) {
        json.put("action", change.action());
        json.put("table", change.index().table());
        json.put("index", change.index().name());
    }
}
