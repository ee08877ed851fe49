package dev.tidemark.deploy.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads aims out of the tables that benchmarks wrote into a report. Whatever else stands there is passed over. */
final class Aims {
    private static final Pattern BEGIN = Pattern.compile("<!-- (\\w+): written by tidemark bench .*-->");
    private static final Pattern END = Pattern.compile("<!-- end of \\w+ -->");
    private static final Pattern NUMBER = Pattern.compile("(at least |at most )?(\\d+(?:\\.\\d+)?).*");
    private static final Set<String> RATIOS = Set.of("ratio", "Tidemark, times");
    private static final Set<String> WANTED = Set.of("to reach", "at most", "at least");
    private static final Set<String> NAMES = Set.of("who", "what", "beside", "quantile", "shape");

    private final List<AimResult> found = new ArrayList<>();
    private String section = "";
    private List<String> header = List.of();

    private Aims() {}

    /** All of them, in the order in which they stand there. */
    static List<AimResult> in(List<String> report) {
        Aims aims = new Aims();
        report.forEach(aims::line);
        return List.copyOf(aims.found);
    }

    private void line(String line) {
        Matcher begin = BEGIN.matcher(line);
        if (begin.matches()) {
            section = begin.group(1);
        } else if (END.matcher(line).matches()) {
            section = "";
        }
        if (section.isEmpty() || !line.startsWith("|")) {
            header = List.of();
        } else if (header.isEmpty()) {
            header = cells(line);
        } else {
            aim(cells(line)).ifPresent(found::add);
        }
    }

    private Optional<AimResult> aim(List<String> cells) {
        Optional<Matcher> ratio = number(cells, RATIOS);
        Optional<Matcher> wanted = number(cells, WANTED);
        if (ratio.isEmpty() || wanted.isEmpty()) {
            return Optional.empty();
        }
        String sense = Optional.ofNullable(wanted.get().group(1)).orElseGet(() -> header.get(column(WANTED)) + " ");
        return Optional.of(new AimResult(
                section + ": " + label(cells),
                Double.parseDouble(ratio.get().group(2)),
                Double.parseDouble(wanted.get().group(2)),
                !sense.equals("at most ")));
    }

    private String label(List<String> cells) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            if (NAMES.contains(header.get(i))) {
                names.add(cells.get(i));
            } else if (i == 0) {
                // A rate that was asked for; in other columns it is one that was measured.
                names.add(cells.get(i) + " " + header.get(i));
            }
        }
        return String.join(", ", names);
    }

    private Optional<Matcher> number(List<String> cells, Set<String> columns) {
        int column = column(columns);
        if (column < 0 || cells.size() != header.size()) {
            return Optional.empty();
        }
        return Optional.of(NUMBER.matcher(cells.get(column))).filter(Matcher::matches);
    }

    private int column(Set<String> names) {
        for (int i = 0; i < header.size(); i++) {
            if (names.contains(header.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        for (String cell : line.substring(1, line.lastIndexOf('|')).split("\\|", -1)) {
            cells.add(cell.strip());
        }
        return cells;
    }
}
