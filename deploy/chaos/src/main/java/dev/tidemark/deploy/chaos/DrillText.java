package dev.tidemark.deploy.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.tidemark.deploy.drill.DrillReport;
import dev.tidemark.deploy.drill.FaultKind;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.TextTable;
import dev.tidemark.deploy.text.Tint;

/** What a drill has done and found, for people. */
public final class DrillText {
    private static final int SHOWN = 20;
    private static final int PLACES_A_ROW = 3;

    private DrillText() {}

    /** One line after each round. */
    public static String round(DrillReport report, Duration took) {
        return String.format(Locale.ROOT, "round %3d  %5.1f s  ", report.rounds(), took.toMillis() / 1e3)
                + Amounts.count(report.kills(), "kill", "kills") + ", "
                + (report.faults().atPlaces().size() - report.missed().size()) + " of "
                + report.faults().atPlaces().size() + " points, "
                + (report.isFine() ? "no difference" : report.findings().found() + " DIFFERENCES");
    }

    /** The whole report. */
    public static List<String> render(DrillReport report, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add("seed " + report.seed() + ", " + Amounts.count(report.rounds(), "round", "rounds") + " in "
                + Amounts.duration(report.ran()) + ", " + Amounts.count(report.kills(), "kill", "kills"));
        lines.add("");
        lines.addAll(amounts("fault", "times", faults(report), terminal));
        report.faults().skipped().forEach((what, times) -> lines.add("skipped " + times + " times: " + what));
        lines.add("");
        lines.addAll(places(report, terminal));
        lines.add("");
        lines.addAll(amounts("looked at", "how much", counted(report), terminal));
        report.probe().ifPresent(probe -> lines.add(prober(probe)));
        lines.add("");
        lines.addAll(verdict(report, terminal));
        return lines;
    }

    private static Map<String, Number> faults(DrillReport report) {
        Map<String, Number> rows = new LinkedHashMap<>();
        report.faults().killed().forEach((role, times) -> rows.put("kill -9 of the " + role.label(), times));
        for (FaultKind kind : EnumSet.complementOf(EnumSet.of(FaultKind.KILL))) {
            rows.put(kind.label(), report.faults().faults().getOrDefault(kind, 0));
        }
        return rows;
    }

    private static Map<String, Number> counted(DrillReport report) {
        Map<String, Number> rows = new LinkedHashMap<>();
        report.findings().counted().forEach((kind, times) -> rows.put(kind.label(), times));
        return rows;
    }

    private static List<String> amounts(String what, String howMuch, Map<String, Number> rows, Terminal terminal) {
        TextTable table = new TextTable(List.of(what, howMuch));
        rows.forEach((name, amount) ->
                table.add(List.of(TextTable.Cell.of(name), TextTable.Cell.of(Amounts.count(amount.longValue())))));
        return table.render(terminal);
    }

    private static List<String> places(DrillReport report, Terminal terminal) {
        List<String> header = new ArrayList<>();
        for (int i = 0; i < PLACES_A_ROW; i++) {
            header.addAll(List.of("killed at", "times"));
        }
        TextTable table = new TextTable(header);
        List<TextTable.Cell> row = new ArrayList<>();
        for (Map.Entry<String, Integer> place : report.faults().atPlaces().entrySet()) {
            row.add(TextTable.Cell.of(place.getKey()));
            row.add(new TextTable.Cell(
                    Amounts.count(place.getValue()), place.getValue() == 0 ? Tint.YELLOW : Tint.PLAIN));
            if (row.size() == header.size()) {
                table.add(row);
                row.clear();
            }
        }
        if (!row.isEmpty()) {
            row.addAll(Collections.nCopies(header.size() - row.size(), TextTable.Cell.of("")));
            table.add(row);
        }
        return table.render(terminal);
    }

    private static String prober(ProbeReport probe) {
        return "prober: " + Amounts.count(probe.judged()) + " statements about lag held against the truth, "
                + Amounts.count(probe.underReported()) + " too small; " + Amounts.count(probe.wentBack())
                + " answers went back";
    }

    private static List<String> verdict(DrillReport report, Terminal terminal) {
        if (report.isFine()) {
            return List.of(terminal.tinted("no difference", Tint.GREEN));
        }
        List<String> lines = new ArrayList<>();
        report.findings().differences().stream().limit(SHOWN).forEach(lines::add);
        lines.add(terminal.tinted(Amounts.count(report.findings().found(), "difference", "differences"), Tint.RED));
        lines.add("again: tidemark drill --seed " + report.seed() + " --rounds " + report.rounds());
        lines.add("data, logs and history: " + report.directory().getParent());
        return lines;
    }
}
