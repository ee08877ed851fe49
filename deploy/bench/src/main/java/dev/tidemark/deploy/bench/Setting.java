package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.List;

/**
 * One option of a benchmark.
 *
 * @param names on the command line; {@link Arguments} knows the option by the first
 * @param label of the value in the help; empty for a flag
 * @param type of the value in {@link Arguments}; a List is one of Integers
 * @param usual the value without the option, as the command line takes it; empty for none
 * @param description for the help; without a stop at its end, the usual value is added
 */
public record Setting(List<String> names, String label, Class<?> type, String usual, String description) {
    /** The option that every small run has. */
    public static final String QUICK = "--quick";

    /** The options of benchmarks over one table. */
    public static final List<Setting> OF_TABLE = List.of(
            number("--rows", "1000000", "Rows of the table"), number("--rounds", "5", "How often each is measured"));

    public Setting {
        names = List.copyOf(names);
        description = usual.isEmpty() || description.endsWith(".")
                ? description
                : description + " (default: ${DEFAULT-VALUE}).";
    }

    /** A flag for a run that is small. */
    public static Setting quick(String description) {
        return new Setting(List.of(QUICK), "", Boolean.class, "", description);
    }

    /** A number. */
    public static Setting number(String name, String usual, String description) {
        return new Setting(List.of(name), "N", Integer.class, usual, description);
    }

    /** Numbers with commas between them. */
    public static Setting numbers(String name, String usual, String description) {
        return new Setting(List.of(name), "N", List.class, usual, description);
    }

    /** A duration with its unit. */
    public static Setting time(String name, String usual, String description) {
        return new Setting(List.of(name), "TIME", Duration.class, usual, description);
    }
}
