package dev.tidemark.deploy.drill;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.probe.ReportJson;
import dev.tidemark.row.RowJson;

/** A report for programs. */
public final class DrillJson {
    private DrillJson() {}

    public static ObjectNode of(DrillReport report) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("seed", report.seed()).put("rounds", report.rounds());
        json.put("seconds", report.ran().toMillis() / 1e3).put("kills", report.kills());
        ObjectNode killed = json.putObject("killedAtRandom");
        report.killed().forEach((role, times) -> killed.put(role.label(), times));
        ObjectNode places = json.putObject("killedAtPoint");
        report.places().forEach(places::put);
        ObjectNode faults = json.putObject("faults");
        report.faults().forEach((kind, times) -> faults.put(kind.option(), times));
        ObjectNode skipped = json.putObject("skipped");
        report.skipped().forEach(skipped::put);
        ObjectNode counted = json.putObject("counted");
        report.counted().forEach((kind, times) -> counted.put(kind.label(), times));
        report.probe().ifPresent(probe -> json.set("prober", ReportJson.of(probe)));
        json.put("different", report.different());
        report.differences().forEach(json.putArray("differences")::add);
        json.put("directory", report.directory().toString());
        return json;
    }
}
