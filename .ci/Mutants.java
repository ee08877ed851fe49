import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Prints how many mutants of each package the tests kill, and which survive. Ends with 1 where a package is below the
 * bound. Mutants that change nothing that can be seen are listed in a file, one a line: class and method, what PIT did,
 * and the reason, with bars between them. A mutant that the JVM refuses to load tells nothing, and is not counted: it
 * cannot change a record whose component has an annotation while it runs (github.com/hcoles/pitest/issues/1285).
 */
final class Mutants {
    private static final double BOUND = 0.9;
    private static final List<String> KILLED = List.of("KILLED", "TIMED_OUT", "MEMORY_ERROR");
    private static final String NOT_LOADED = "RUN_ERROR";

    private record Mutant(String type, String method, String line, String what, boolean killed) {
        String name() {
            return type + "." + method;
        }

        String inPackage() {
            return type.substring(0, type.lastIndexOf('.'));
        }
    }

    private static final class Score {
        private int all;
        private int killed;
        private int equivalent;

        boolean isGood() {
            return killed >= BOUND * (all - equivalent);
        }
    }

    private Mutants() {}

    public static void main(String[] args) throws Exception {
        List<String> equivalents = equivalents(Path.of(args[1]));
        Map<String, Score> scores = new TreeMap<>();
        for (Mutant mutant : read(Path.of(args[0]))) {
            Score score = scores.computeIfAbsent(mutant.inPackage(), name -> new Score());
            score.all++;
            if (mutant.killed()) {
                score.killed++;
            } else if (equivalents.contains(mutant.name() + " | " + mutant.what())) {
                score.equivalent++;
            } else {
                System.out.println("survives: " + mutant.name() + " | " + mutant.what() + " | line " + mutant.line());
            }
        }
        System.out.printf("%-36s %7s %7s %10s %6s%n", "package", "mutants", "killed", "equivalent", "score");
        scores.forEach((name, score) -> System.out.printf(
                "%-36s %7d %7d %10d %5.1f%%%s%n",
                name,
                score.all,
                score.killed,
                score.equivalent,
                100.0 * score.killed / Math.max(1, score.all - score.equivalent),
                score.isGood() ? "" : " too few"));
        if (!scores.values().stream().allMatch(Score::isGood)) {
            System.out.println("expected at least " + Math.round(100 * BOUND) + " % of each package to be killed");
            System.exit(1);
        }
    }

    private static List<String> equivalents(Path file) throws IOException {
        List<String> mutants = new ArrayList<>();
        try (Stream<String> lines = Files.lines(file)) {
            for (String line : lines.filter(one -> !one.isBlank() && !one.startsWith("#")).toList()) {
                String[] parts = line.split(" \\| ", 3);
                if (parts.length < 3 || parts[2].isBlank()) {
                    throw new IOException("expected class and method, what was done, and a reason, but got: " + line);
                }
                mutants.add(parts[0] + " | " + parts[1]);
            }
        }
        return mutants;
    }

    private static List<Mutant> read(Path report) throws Exception {
        NodeList nodes = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("mutation");
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .map(Element.class::cast)
                .filter(one -> !one.getAttribute("status").equals(NOT_LOADED))
                .map(one -> new Mutant(
                        text(one, "mutatedClass").replaceAll("[$].*", ""),
                        text(one, "mutatedMethod"),
                        text(one, "lineNumber"),
                        text(one, "description"),
                        KILLED.contains(one.getAttribute("status"))))
                .toList();
    }

    private static String text(Element mutant, String tag) {
        return mutant.getElementsByTagName(tag).item(0).getTextContent();
    }
}
