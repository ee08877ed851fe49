package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/** What a comparison found, for people. */
public final class VerifyText {
    private static final List<String> KINDS =
            List.of("missing", "dangling", "stale", "bad_covered", "duplicate", "ahead", "quarantined");

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
            lines.add("not compared, because they are not at this worker: partitions " + job.path("missingPartitions"));
        }
        String how = job.path("basis").asText().equals("digests")
                ? " rows compared by digests as of "
                : " rows compared as of ";
        lines.add(Amounts.count(job.path("rows").asLong())
                + how
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
        List<String> header = new ArrayList<>(List.of("index", "gen", "valid"));
        header.addAll(KINDS);
        header.add("undecided");
        TextTable table = new TextTable(header);
        for (JsonNode index : job.path("indexes")) {
            List<TextTable.Cell> cells = new ArrayList<>();
            cells.add(new TextTable.Cell(index.path("index").asText(), Tint.CYAN));
            cells.add(TextTable.Cell.of(index.path("generation").asText()));
            cells.add(TextTable.Cell.of(Amounts.count(index.path("valid").asLong())));
            KINDS.forEach(kind -> cells.add(count(index.path(kind).asLong())));
            cells.add(count(index.path("undecided").asLong()));
            table.add(cells);
        }
        return table.render(terminal);
    }

    private static TextTable.Cell count(long count) {
        return new TextTable.Cell(Amounts.count(count), count > 0 ? Tint.RED : Tint.PLAIN);
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
