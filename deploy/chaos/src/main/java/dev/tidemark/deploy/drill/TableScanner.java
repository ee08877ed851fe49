package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.target.Reply;

/** Reads whole tables and indexes over the public interface, while no client writes. */
record TableScanner(DrillTarget target) {
    private static final String PAGE = "1000";

    /** Every row of a table. */
    List<Fact> facts(String table) throws NotSettledException, InterruptedException {
        List<Fact> facts = new ArrayList<>();
        String cursor = "";
        do {
            String path = "/v1/tables/" + table + "/rows?limit=" + PAGE + cursor;
            JsonNode page = ok("the rows of " + table, () -> target.writer().get(path));
            for (JsonNode row : page.path("rows")) {
                facts.add(new Fact(row.path("key"), row.path("version").asText(), row.path("row")));
            }
            cursor = page.path("next").isTextual()
                    ? "&cursor=" + page.path("next").asText()
                    : "";
        } while (!cursor.isEmpty());
        return facts;
    }

    /** Every entry of an index, in the order in which they are answered. */
    List<JsonNode> entries(String index) throws NotSettledException, InterruptedException {
        List<JsonNode> entries = new ArrayList<>();
        Map<String, String> parameters = new LinkedHashMap<>(Map.of("limit", PAGE));
        boolean more = true;
        while (more) {
            JsonNode page = ok(index, () -> target.query(index, parameters));
            page.path("entries").forEach(entries::add);
            more = page.path("next").isTextual();
            parameters.put("cursor", page.path("next").asText());
        }
        return entries;
    }

    /** What the writer's clock shows. */
    Instant now() throws NotSettledException, InterruptedException {
        return time(ok("the writer's clock", () -> target.writer().get("/v1/clock")).path("now"));
    }

    /** Up to when an index is complete. */
    Instant completeUpTo(String index) throws NotSettledException, InterruptedException {
        return time(ok(index, () -> target.query(index, Map.of("limit", "1")))
                .path("freshness")
                .path("completeUpTo"));
    }

    /** What the worker says of an index. */
    JsonNode describe(String index) throws NotSettledException, InterruptedException {
        return ok(index, () -> target.worker().get("/v1/indexes/" + index));
    }

    private static Instant time(JsonNode text) throws NotSettledException {
        try {
            return Instant.parse(text.asText());
        } catch (DateTimeException e) {
            throw new NotSettledException("a time is not known: " + text);
        }
    }

    /** A question. */
    private interface Question {
        Reply ask() throws IOException, InterruptedException;
    }

    private static JsonNode ok(String what, Question question) throws NotSettledException, InterruptedException {
        try {
            Reply reply = question.ask();
            if (!reply.ok()) {
                throw new NotSettledException(what + ": " + reply);
            }
            return reply.json();
        } catch (IOException e) {
            throw new NotSettledException(what + ": " + e);
        }
    }
}
