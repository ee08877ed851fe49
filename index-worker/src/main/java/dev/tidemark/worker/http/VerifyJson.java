package dev.tidemark.worker.http;

import java.util.Locale;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.verify.Difference.Kind;
import dev.tidemark.worker.verify.JobState;
import dev.tidemark.worker.verify.VerifyJob;
import dev.tidemark.worker.verify.VerifyReport;

/** Jobs as JSON. */
final class VerifyJson {
    private VerifyJson() {}

    /**
     * A job.
     *
     * @param table its table; null when it is gone
     */
    static ObjectNode of(VerifyJob job, @Nullable TableDefinition table) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("id", job.id());
        json.put("table", job.order().table());
        json.put("mode", job.order().mode().name().toLowerCase(Locale.ROOT));
        json.put("repair", job.order().repair());
        JobState state = job.state();
        if (state instanceof JobState.Running running) {
            json.put("state", "running").put("rows", running.rows()).put("rowsTotal", running.total());
        } else if (state instanceof JobState.Failed failed) {
            json.put("state", "failed").put("detail", failed.why());
        } else if (state instanceof JobState.Done done) {
            json.put("state", "done");
            add(json, done.found(), table);
            json.put("repaired", done.repaired());
            done.after().ifPresent(after -> add(json.putObject("after"), after, table));
            json.put("equal", done.latest().isEqual());
        } else {
            json.put("state", "waiting");
        }
        return json;
    }

    private static void add(ObjectNode json, VerifyReport report, @Nullable TableDefinition table) {
        json.put("basis", report.basis().name().toLowerCase(Locale.ROOT));
        json.put("rows", report.rows());
        ObjectNode watermark = json.putObject("watermark");
        watermark.put("version", report.watermark().version().toString());
        watermark.put("time", report.watermark().time().toString());
        ArrayNode missing = json.putArray("missingPartitions");
        report.missingPartitions().forEach(missing::add);
        ArrayNode indexes = json.putArray("indexes");
        report.indexes().forEach(index -> add(indexes.addObject(), index, table));
    }

    private static void add(ObjectNode json, VerifyReport.OfGeneration index, @Nullable TableDefinition table) {
        json.put("index", index.generation().definition().name());
        json.put("generation", index.generation().id());
        json.put("entries", index.entries());
        json.put("valid", index.valid());
        for (Kind kind : Kind.values()) {
            json.put(kind.label(), index.count(kind));
        }
        json.put("undecided", index.undecided());
        json.put("digestsAgree", index.digestsAgree());
        ArrayNode examples = json.putArray("examples");
        index.examples().forEach(difference -> examples.add(DifferenceJson.of(difference, index.generation(), table)));
    }
}
