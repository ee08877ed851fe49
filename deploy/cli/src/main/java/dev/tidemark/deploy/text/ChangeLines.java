package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.index.IndexDefinition;

/** What a catalog changes, as a person reads it. */
public final class ChangeLines {
    private static final String NO_CONDITION = "where: {}";

    private ChangeLines() {}

    /**
     * A few lines for each change: what is done, and what that costs.
     *
     * @param costs what that costs, as far as it is known
     */
    public static List<String> render(List<IndexChange> changes, ChangeCosts costs, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        for (IndexChange change : changes) {
            lines.add("  " + terminal.tinted(String.format("%-6s", change.action()), tint(change)) + " "
                    + change.index().qualifiedName());
            details(change).stream()
                    .filter(detail -> !detail.equals(NO_CONDITION))
                    .forEach(detail -> lines.add("           " + detail));
            costs.lines(change, terminal).forEach(cost -> lines.add("           " + cost));
        }
        return lines;
    }

    private static List<String> details(IndexChange change) {
        if (change instanceof IndexChange.Create created) {
            return parts(created.to());
        }
        if (change instanceof IndexChange.Change changed) {
            List<String> before = parts(changed.from());
            List<String> after = parts(changed.to());
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < before.size(); i++) {
                lines.add(before.get(i).equals(after.get(i)) ? before.get(i) : before.get(i) + "  ->  " + after.get(i));
            }
            return lines;
        }
        return List.of();
    }

    private static List<String> parts(IndexDefinition index) {
        ObjectNode json = DefinitionJson.of(index);
        List<String> parts = new ArrayList<>();
        json.properties().forEach(part -> parts.add(part.getKey() + ": " + part.getValue()));
        return parts;
    }

    private static Tint tint(IndexChange change) {
        if (change instanceof IndexChange.Create) {
            return Tint.GREEN;
        }
        return change instanceof IndexChange.Drop ? Tint.RED : Tint.YELLOW;
    }
}
