package dev.tidemark.deploy.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** The options of a benchmark, and their values once the command line was read. */
public record Arguments(CommandSpec spec) {
    /** The options of benchmarks over one table. */
    static List<OptionSpec> ofTable() {
        return List.of(
                number("--rows", 1, "1000000", "Rows of the table"),
                number("--rounds", 1, "5", "How often each is measured"));
    }

    /** A flag; that of a run that is small is {@code --quick}. */
    public static OptionSpec flag(String name, String description) {
        return option("", Boolean.class, "", description, name).build();
    }

    /** A path. */
    public static OptionSpec path(String name, String label, String description) {
        return option(label, Path.class, "", description, name).build();
    }

    /**
     * A number of one or more names.
     *
     * @param least what is below is refused
     */
    static OptionSpec number(String name, int least, String usual, String description, String... otherNames) {
        OptionSpec.Builder option =
                option("N", Integer.class, usual, description, name).converters(text -> number(text, least));
        return otherNames.length == 0
                ? option.build()
                : option.names(name, otherNames[0]).build();
    }

    /** Numbers from 1 on, with commas between them. */
    static OptionSpec numbers(String name, String usual, String description) {
        return option("N", List.class, usual, description, name)
                .auxiliaryTypes(Integer.class)
                .converters(text -> number(text, 1))
                .splitRegex(",")
                .build();
    }

    /**
     * A duration with its unit.
     *
     * @param least what is below is refused
     */
    static OptionSpec time(String name, Duration least, String usual, String description) {
        return option("TIME", Duration.class, usual, description, name)
                .converters(text -> duration(text, least))
                .build();
    }

    /**
     * One option.
     *
     * @param usual the value without the option, as the command line takes it; empty for none
     * @param description for the help; without a stop at its end, the usual value is added
     */
    private static OptionSpec.Builder option(
            String label, Class<?> type, String usual, String description, String name) {
        boolean isWhole = usual.isEmpty() || description.endsWith(".");
        OptionSpec.Builder option = OptionSpec.builder(name)
                .paramLabel(label)
                .type(type)
                .description(isWhole ? description : description + " (default: ${DEFAULT-VALUE}).");
        return usual.isEmpty() ? option : option.defaultValue(usual);
    }

    private static int number(String text, int least) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The message below is about it as well.
        }
        throw new TypeConversionException("expected a number of at least " + least + ", but got " + text);
    }

    private static Duration duration(String text, Duration least) {
        try {
            Duration duration = Durations.parse(text);
            if (duration.compareTo(least) >= 0) {
                return duration;
            }
        } catch (BadSettingsException e) {
            throw new TypeConversionException(e.getMessage());
        }
        throw new TypeConversionException("expected at least " + least.toMillis() + "ms, but got " + text);
    }

    /** Whether the run is to be small. */
    boolean quick() {
        return get("--quick", false);
    }

    /** The value of an option; the other one where it has none. */
    public <T> T get(String name, T otherwise) {
        @Nullable T value = spec.findOption(name).getValue();
        return value == null ? otherwise : value;
    }

    /** The number of an option that has a usual value. */
    int number(String name) {
        return get(name, 0);
    }

    /** Wrong usage, for values that cannot be measured together. */
    ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
