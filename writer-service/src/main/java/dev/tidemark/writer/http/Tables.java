package dev.tidemark.writer.http;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.BadInputException;
import dev.tidemark.writer.commit.RowRules;

/**
 * Finds the table and the row that a path names.
 *
 * @param rules the tables of the definitions in force, in their order
 */
record Tables(Supplier<Map<String, RowRules>> rules) {
    List<RowRules> all() {
        return List.copyOf(rules.get().values());
    }

    /** The table in the path; 404 that lists the tables there are. */
    RowRules table(Call call) {
        String name = call.pathParam("table");
        Map<String, RowRules> present = rules.get();
        RowRules found = present.get(name);
        if (found == null) {
            throw new ProblemException(Problem.notFound(
                    "there is no table " + name + "; expected one of " + String.join(", ", present.keySet())));
        }
        return found;
    }

    /**
     * The table in the path, for a call that changes rows.
     *
     * @throws ProblemException 409 where its rows come from a source
     */
    RowRules writable(Call call) {
        RowRules rules = table(call);
        rules.table().source().ifPresent(source -> {
            throw new ProblemException(CommandAnswers.followed(rules.table().name(), source));
        });
        return rules;
    }

    /** The key in the path: parts joined by commas, each the JSON that it spells. */
    KeyBytes key(Call call, RowRules table) throws BadInputException {
        return table.table().keyFromSpelled(Requests.lastSegmentParts(call));
    }

    /** A key that this service made itself, as answers show it. */
    static JsonNode shown(TableDefinition table, KeyBytes key) {
        try {
            return table.keyToJson(key);
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected a key of table " + table.name() + ", but got " + key, e);
        }
    }
}
