package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.deploy.oracle.ExpectedEntries;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/**
 * Compares everything while no client writes: the lag is zero, every row is one that its client's answers permit, and
 * every index holds exactly the entries that its table calls for, in order. Reads whole tables and indexes over the
 * public interface.
 */
record Inspection(DrillTarget target, HistoryRecorder books) {
    private static final String PAGE = "1000";
    private static final Duration STEP = Duration.ofMillis(50);
    private static final int LOOKS = 200;

    /**
     * Makes sure that the indexes of a catalog have everything that is committed now, and are ready.
     *
     * @param committed what the writer's clock showed after the last write
     */
    void requireLagZero(String catalog, Instant committed) throws IOException, InterruptedException {
        for (String name : DrillTables.WRITTEN) {
            for (IndexDefinition index : DrillTables.table(catalog, name).indexes()) {
                String qualified = index.qualifiedName();
                for (ServiceCaller copy : target.copies()) {
                    requireComplete(qualified, copy, committed);
                }
                JsonNode description = ready(qualified);
                if (!description.path("projection").equals(DefinitionJson.projection(index.projection()))) {
                    throw new IOException("the worker does not know the newest definition of " + qualified);
                }
            }
        }
    }

    /**
     * Has each replica group repair a table, as an operator does where a forged record has a version that was never
     * given.
     */
    void repair(String table) throws IOException, InterruptedException {
        byte[] order = RowJson.write(RowJson.mapper()
                .createObjectNode()
                .put("table", table)
                .put("mode", "full")
                .put("repair", true));
        for (ServiceCaller copy : target.copies()) {
            Reply taken = copy.call("POST", "/v1/verify", Map.of("Content-Type", "application/json"), order);
            String job = "/v1/verify/"
                    + taken.require("repair of " + table).json().path("id").asText();
            String state = "running";
            for (int look = 0; look < LOOKS && !state.equals("done"); look++) {
                state = copy.json(job).path("state").asText();
                BoundedWait.rest(STEP);
            }
            if (!state.equals("done")) {
                throw new IOException("the repair of " + table + " is " + state);
            }
        }
    }

    private static void requireComplete(String index, ServiceCaller copy, Instant committed)
            throws IOException, InterruptedException {
        JsonNode answer = copy.json(ServiceCaller.entriesOf(index, Map.of("limit", "1")));
        Instant complete = time(answer.path("freshness").path("completeUpTo"));
        if (complete.isBefore(committed)) {
            throw new IOException(index + " is complete up to " + complete + " and not to " + committed);
        }
    }

    /**
     * Compares everything. When something cannot be read, or changes meanwhile, nothing is recorded: a writer that
     * recovers may commit rows once more, long after all clients rest.
     */
    void compare(String catalog) throws IOException, InterruptedException {
        List<String> complaints = new ArrayList<>();
        long rows = 0;
        long entries = 0;
        Map<String, List<Fact>> read = facts();
        awaitLagZero(catalog, target.writer().commitClock());
        for (String name : DrillTables.WRITTEN) {
            TableDefinition table = DrillTables.table(catalog, name);
            List<Fact> facts = read.getOrDefault(name, List.of());
            complaints.addAll(books.ledger().complaintsAbout(name, facts));
            rows += facts.size();
            for (IndexDefinition index : table.indexes()) {
                entries += compare(table, index, facts, complaints);
            }
        }
        if (!facts().equals(read)) {
            throw new IOException("rows were committed while they were compared with the indexes");
        }
        books.findings().count(DrillFindings.Kind.ROWS, rows);
        books.findings().count(DrillFindings.Kind.ENTRIES, entries);
        books.findings().differ(complaints);
    }

    private long compare(TableDefinition table, IndexDefinition index, List<Fact> facts, List<String> complaints)
            throws IOException, InterruptedException {
        String name = index.qualifiedName();
        List<String> expected = ExpectedEntries.of(table, index, facts);
        for (ServiceCaller copy : target.copies()) {
            complaints.addAll(ExpectedEntries.differences(name, expected, entries(copy, name)));
        }
        long told = ready(name).path("entries").asLong(-1);
        if (told != expected.size()) {
            complaints.add(name + " says that it has " + told + " entries, but has to have " + expected.size());
        }
        return (long) target.copies().size() * expected.size();
    }

    private void awaitLagZero(String catalog, Instant time) throws IOException, InterruptedException {
        for (int look = 1; ; look++) {
            try {
                requireLagZero(catalog, time);
                return;
            } catch (IOException e) {
                if (look == LOOKS) {
                    throw e;
                }
                BoundedWait.rest(STEP);
            }
        }
    }

    /** Every row of all tables. */
    private Map<String, List<Fact>> facts() throws IOException, InterruptedException {
        Map<String, List<Fact>> facts = new HashMap<>();
        for (String name : DrillTables.WRITTEN) {
            facts.put(name, facts(name));
        }
        return facts;
    }

    /** Every row of a table. */
    private List<Fact> facts(String table) throws IOException, InterruptedException {
        return all(target.writer(), ServiceCaller.rowsOf(table) + "?limit=" + PAGE, "rows").stream()
                .map(row -> new Fact(row.path("key"), row.path("version").asText(), row.path("row")))
                .toList();
    }

    /** Every entry of an index as canonical text, in the order in which they are answered. */
    private static List<String> entries(ServiceCaller worker, String index) throws IOException, InterruptedException {
        return all(worker, ServiceCaller.entriesOf(index, Map.of("limit", PAGE)), "entries").stream()
                .map(ExpectedEntries::textOf)
                .toList();
    }

    /** What all pages of an answer have under a name. */
    private static List<JsonNode> all(ServiceCaller service, String path, String name)
            throws IOException, InterruptedException {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        JsonNode page;
        do {
            page = service.json(path + cursor);
            page.path(name).forEach(all::add);
            cursor = "&cursor=" + ServiceCalls.encoded(page.path("next").asText());
        } while (page.path("next").isTextual());
        return all;
    }

    /** What a worker says of an index that is ready in all of its partitions. */
    private JsonNode ready(String index) throws IOException, InterruptedException {
        JsonNode description = target.worker().json("/v1/indexes/" + index);
        JsonNode life = description.path("life");
        JsonNode missing = description.path("missingPartitions");
        if (!life.path("state").asText().equals("ready") || !missing.isEmpty()) {
            throw new IOException(index + " is " + life.path("state").asText() + " and lacks " + missing + ": "
                    + life.path("cause").asText());
        }
        return description;
    }

    private static Instant time(JsonNode text) throws IOException {
        try {
            return Instant.parse(text.asText());
        } catch (DateTimeException e) {
            throw new IOException("a time is not known: " + text);
        }
    }
}
