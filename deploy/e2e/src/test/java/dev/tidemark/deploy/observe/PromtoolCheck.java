package dev.tidemark.deploy.observe;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Assertions that {@code promtool} makes. Each skips the test, saying why, where the program is absent. */
public final class PromtoolCheck {
    /** Meters of Micrometer, whose names are not ours to choose. */
    private static final Pattern OF_OTHERS = Pattern.compile("(jvm|process|system)_\\w+ .*");

    private static final int LINT_FOUND = 3;

    private PromtoolCheck() {}

    /**
     * Checks a scrape: that Prometheus can read it, and that it finds no fault with the names, types and help texts of
     * Tidemark's own metrics.
     *
     * @param scrape the body of {@code /metrics}
     */
    public static void metrics(String scrape) throws IOException, InterruptedException {
        Promtool.Outcome outcome = promtool().runWithInput(scrape, "check", "metrics");
        assertThat(outcome.exitCode()).as(outcome.output()).isIn(0, LINT_FOUND);
        assertThat(faultsOfOurs(outcome.output()))
                .as("faults that promtool finds with the metrics")
                .isEmpty();
    }

    /** Runs {@code promtool} and expects that it finds nothing. */
    static void passes(String... arguments) throws IOException, InterruptedException {
        Promtool.Outcome outcome = promtool().run(arguments);
        assertThat(outcome.exitCode())
                .as("promtool %s said:%n%s", String.join(" ", arguments), outcome.output())
                .isZero();
    }

    private static List<String> faultsOfOurs(String output) {
        return output.lines()
                .filter(line -> !line.isBlank() && !OF_OTHERS.matcher(line).matches())
                .toList();
    }

    private static Promtool promtool() {
        Optional<Promtool> promtool = Promtool.onPath();
        if (promtool.isEmpty()) {
            // Maven shows that a test was skipped, and not why.
            System.out.println("Skipped: " + Promtool.ABSENT);
        }
        assumeTrue(promtool.isPresent(), Promtool.ABSENT);
        return promtool.orElseThrow();
    }
}
