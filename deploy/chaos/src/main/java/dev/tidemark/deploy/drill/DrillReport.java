package dev.tidemark.deploy.drill;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.row.RowJson;

/**
 * What a drill has done and found.
 *
 * @param rounds that are over
 * @param faults what was hit, and how often
 * @param findings what was looked at, and what is wrong
 * @param probe what the prober found; empty while it runs
 * @param directory of data, logs and history
 */
public record DrillReport(
        long seed,
        int rounds,
        Duration ran,
        FaultStats faults,
        DrillFindings findings,
        Optional<ProbeReport> probe,
        Path directory) {
    /** All kills, at random times and at points. */
    public int kills() {
        return faults.killed().values().stream().mapToInt(Integer::intValue).sum()
                + faults.atPlaces().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
    }

    /** Points at which nothing was killed. */
    public List<String> missed() {
        return faults.atPlaces().entrySet().stream()
                .filter(place -> place.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether nothing was found to be wrong. */
    public boolean isFine() {
        return findings.found() == 0;
    }

    /** The report for programs. */
    public ObjectNode json() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("seed", seed).put("rounds", rounds);
        json.put("seconds", ran.toMillis() / 1e3).put("kills", kills());
        ObjectNode killed = json.putObject("killedAtRandom");
        faults.killed().forEach((role, times) -> killed.put(role.label(), times));
        ObjectNode places = json.putObject("killedAtPoint");
        faults.atPlaces().forEach(places::put);
        ObjectNode done = json.putObject("faults");
        faults.faults().forEach((kind, times) -> done.put(kind.option(), times));
        ObjectNode skipped = json.putObject("skipped");
        faults.skipped().forEach(skipped::put);
        ObjectNode counted = json.putObject("counted");
        findings.counted().forEach((kind, times) -> counted.put(kind.label(), times));
        probe.ifPresent(found -> json.set("prober", found.json()));
        json.put("different", findings.found());
        findings.differences().forEach(json.putArray("differences")::add);
        return json.put("directory", directory.toString());
    }
}
