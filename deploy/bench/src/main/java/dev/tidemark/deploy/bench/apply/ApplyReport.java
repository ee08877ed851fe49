package dev.tidemark.deploy.bench.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.Numbers;
import dev.tidemark.deploy.bench.Report;
import dev.tidemark.deploy.bench.RoundSpread;

/**
 * How fast Tidemark and the baselines followed.
 *
 * @param rates changes a second, by the label of each system that took part; Tidemark is one of them
 * @param disk bytes that Tidemark's worker keeps and writes
 */
record ApplyReport(Machine machine, int changes, int rounds, Map<String, RoundSpread> rates, DiskUse disk) {
    ApplyReport {
        rates = Map.copyOf(rates);
    }

    Report report() {
        RoundSpread tidemark =
                Optional.ofNullable(rates.get(Contender.TIDEMARK)).orElseThrow();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(Contender.TIDEMARK, tidemark.text(Numbers::whole, ""), ""));
        ObjectNode json =
                Report.members("apply", machine).put("changes", changes).put("rounds", rounds);
        json.set("tidemark", tidemark.json("PerSecond"));
        List<Report.Part> parts = new ArrayList<>();
        for (ApplyBaseline baseline : ApplyBaseline.values()) {
            RoundSpread spread = rates.get(baseline.label());
            if (spread == null) {
                String reason = baseline.label() + ": left out, because " + BaselineCommands.REMEDY;
                parts.add(new Report.Notes(List.of(reason)));
            } else {
                double ratio = tidemark.median() / spread.median();
                rows.add(List.of(baseline.label(), spread.text(Numbers::whole, ""), Numbers.hundredths(ratio)));
                json.set(
                        baseline.name().toLowerCase(Locale.ROOT),
                        spread.json("PerSecond").put("ratio", ratio));
            }
        }
        disk.into(json);
        parts.add(0, new Report.Table("", List.of("system", "changes/s", "Tidemark, times"), rows));
        parts.add(new Report.Notes(disk.lines()));
        return new Report(machine.heading(changes, rounds), parts, json);
    }
}
