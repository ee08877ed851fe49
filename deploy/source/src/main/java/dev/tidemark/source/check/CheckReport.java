package dev.tidemark.source.check;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;

/**
 * What {@code tidemark source check} prints.
 *
 * @param source its name
 * @param tables of the database that the catalog follows
 */
public record CheckReport(String source, List<String> tables, List<Lack> lacks) {
    public CheckReport {
        tables = List.copyOf(tables);
        List<Lack> all = new ArrayList<>(lacks);
        if (tables.isEmpty()) {
            all.add(0, Lack.must("no table of the writer's catalog follows source " + source));
        }
        lacks = List.copyOf(all);
    }

    /** How many lacks must be mended. */
    public int serious() {
        return (int) lacks.stream().filter(Lack::serious).count();
    }

    /** Lines for people. */
    public List<String> text() {
        List<String> lines = new ArrayList<>();
        for (Lack lack : lacks) {
            lines.add((lack.serious() ? "lacks: " : "note:  ") + lack.what());
            if (!lack.sql().isEmpty()) {
                lines.add("         " + lack.sql());
            }
        }
        if (serious() == 0) {
            lines.add("source " + source + " can follow " + String.join(", ", tables));
        }
        return lines;
    }

    /** One line for programs. */
    public String json() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("source", source).put("ready", serious() == 0);
        tables.forEach(json.putArray("tables")::add);
        ArrayNode list = json.putArray("lacks");
        lacks.forEach(lack -> list.addObject()
                .put("serious", lack.serious())
                .put("what", lack.what())
                .put("sql", lack.sql()));
        return json.toString();
    }
}
