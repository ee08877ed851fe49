package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** What a comparison found, for people. */
public final class VerifyText {
    private static final List<String> DIFFERENCES =
            List.of("missing", "dangling", "stale", "bad_covered", "duplicate", "ahead", "quarantined", "undecided");

    private VerifyText() {}

    /** A line an index, then the first differences of each kind. */
    public static List<String> found(JsonNode job, Terminal terminal) {
        List<String> lines = new ArrayList<>(table(job, terminal));
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
            lines.add("not compared, because no worker that answers did: partitions " + job.path("missingPartitions"));
        }
        String how = job.path("basis").asText().equals("digests") ? " by digests" : "";
        lines.add(Amounts.count(job.path("rows").asLong()) + " rows compared" + how + " as of "
                + job.path("watermark").path("time").asText());
        return lines;
    }

    /** What was done about it, and what is found since. */
    public static List<String> repaired(JsonNode job, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(Amounts.count(job.path("repaired").asLong()) + " rows repaired");
        if (job.has("after")) {
            lines.add("afterwards:");
            lines.addAll(found(job.path("after"), terminal));
        }
        return lines;
    }

    private static List<String> table(JsonNode job, Terminal terminal) {
        List<Column<JsonNode>> columns = new ArrayList<>(List.of(
                new Column<>("index", index -> new Cell(index.path("index").asText(), Tint.CYAN)),
                Column.of("gen", index -> index.path("generation").asText()),
                Column.of("valid", index -> Amounts.count(index, "valid"))));
        DIFFERENCES.forEach(kind -> columns.add(new Column<>(kind, index -> Cell.alarm(index, kind))));
        return TextTable.of(job.path("indexes"), columns).render(terminal);
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
