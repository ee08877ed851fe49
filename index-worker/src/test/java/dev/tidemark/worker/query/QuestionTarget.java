package dev.tidemark.worker.query;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.tidemark.fuzz.FuzzTarget;
import dev.tidemark.fuzz.Pieces;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.worker.testkit.Tables;

/**
 * A question at an index: an octet for the index, a line of parameters, and a key, for which a right cursor is made
 * when there is one.
 */
public final class QuestionTarget implements FuzzTarget {
    private static final List<String> INDEXES = List.of("by_actor", "by_year", "films.whole", "by_town");

    private final IndexNames names = Tables.names(Tables.inForce(Tables.catalog()));

    @Override
    public void take(byte[] input) throws Exception {
        Pieces pieces = new Pieces(input);
        IndexNames.Found index = names.find(INDEXES.get(pieces.octet() % INDEXES.size()));
        Map<String, List<String>> parameters = parameters(pieces.line());
        KeyBytes last = KeyBytes.wrap(pieces.rest());
        try {
            IndexQuery query = QueryParser.parse(index, parameters, QueryLimits.USUAL);
            if (last.length() > 0) {
                String cursor = new Cursor(last, new TreeMap<>()).write(index, query.range(), query.order());
                parameters.put("cursor", List.of(cursor));
                IndexQuery next = QueryParser.parse(index, parameters, QueryLimits.USUAL);
                FuzzTarget.require(next.after().orElseThrow().equals(last), "to go on after " + last);
            }
        } catch (BadInputException e) {
            FuzzTarget.require(!e.getMessage().isEmpty(), "a message");
        }
    }

    private static Map<String, List<String>> parameters(String query) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String each : List.of(query.split("&", -1))) {
            int sign = each.indexOf('=');
            String name = sign < 0 ? each : each.substring(0, sign);
            parameters.computeIfAbsent(decoded(name), any -> new ArrayList<>()).add(decoded(each.substring(sign + 1)));
        }
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // What the HTTP library would have refused.
            return text;
        }
    }
}
