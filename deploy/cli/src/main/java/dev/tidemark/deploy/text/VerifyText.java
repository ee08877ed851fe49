package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** What a comparison found, for people. */
public final class VerifyText {
    private static final List<String> DIFFERENCES =
            List.of("missing", "dangling", "stale", "bad_covered", "duplicate", "ahead", "quarantined", "undecided");

    private VerifyText() {}

    /** Whether an index was compared in two generations, only one of which answers. */
    public static boolean hasTwoGenerations(JsonNode job) {
        List<String> names = job.path("indexes").findValuesAsText("index");
        return Set.copyOf(names).size() < names.size();
    }

    /**
     * A line an index, then the first differences of each kind.
     *
     * @param answering the generations that answer; empty where each index was compared in one
     */
    public static List<String> found(JsonNode job, Set<Long> answering, Terminal terminal) {
        List<String> lines = new ArrayList<>(table(job, answering, terminal));
        for (JsonNode index : job.path("indexes")) {
            for (JsonNode example : index.path("examples")) {
                lines.add(example(index.path("index").asText(), example, terminal));
            }
            if (!index.path("digestsAgree").asBoolean(true)) {
                lines.add(index.path("index").asText()
                        + ": the digests that its shards keep are not those of its entries; repair counts them again");
            }
        }
        if (!job.path("missingPartitions").isEmpty()) {
            String why = job.path("detail").asText();
            lines.add("not compared, because no worker that answers did: partitions " + job.path("missingPartitions")
                    + (why.isEmpty() ? "" : "; " + why));
        }
        // Rows are compared as they are after a commit, which may be long ago; digests as they are at a heartbeat.
        String asOf = job.path("basis").asText().equals("digests") ? " by digests as of " : " as of the last commit, ";
        lines.add(Amounts.count(job.path("rows").asLong(), "row", "rows") + " compared" + inGroup(job) + asOf
                + job.path("watermark").path("time").asText());
        return lines;
    }

    /** The same, what was done about it, and what is found since. */
    public static List<String> repaired(JsonNode job, Set<Long> answering, Terminal terminal) {
        List<String> lines = new ArrayList<>(found(job, answering, terminal));
        lines.add(Amounts.count(job.path("repaired").asLong(), "row", "rows") + " repaired" + inGroup(job));
        if (job.has("after")) {
            lines.add("afterwards:");
            lines.addAll(found(job.path("after"), answering, terminal));
        }
        return lines;
    }

    /** The only replica group that the answer speaks of; the indexes of another one may differ all the same. */
    private static String inGroup(JsonNode job) {
        String group = job.path("replicaGroup").asText();
        return group.isEmpty() ? "" : " in replica group " + group;
    }

    private static List<String> table(JsonNode job, Set<Long> answering, Terminal terminal) {
        List<Column<JsonNode>> columns = new ArrayList<>(List.of(
                new Column<>("index", index -> new Cell(index.path("index").asText(), Tint.CYAN)),
                Column.of("gen", index -> generation(index, answering)),
                Column.of("valid", index -> Amounts.count(index, "valid"))));
        DIFFERENCES.forEach(kind -> columns.add(new Column<>(kind, index -> Cell.alarm(index, kind))));
        return TextTable.of(job.path("indexes"), columns).render(terminal);
    }

    private static String generation(JsonNode index, Set<Long> answering) {
        JsonNode number = index.path("generation");
        return number.asText() + (answering.contains(number.asLong()) ? " answers" : "");
    }

    private static String example(String index, JsonNode example, Terminal terminal) {
        String versions = "index has version " + version(example.path("version")) + ", table "
                + version(example.path("factVersion"));
        return terminal.tinted(example.path("kind").asText(), Tint.RED) + "  " + index + " "
                + example.path("key") + "  row " + example.path("primaryKey") + ", shard "
                + example.path("shard").asText() + ", " + versions;
    }

    private static String version(JsonNode version) {
        return version.isTextual() ? version.asText() : "none";
    }
}
