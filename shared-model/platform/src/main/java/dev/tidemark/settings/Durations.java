package dev.tidemark.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Durations as people write them: {@code 500ms}, {@code 2s}, {@code 5m}, {@code 1h}, {@code 7d}. */
public final class Durations {
    /** Longest duration: about a century, which still fits into a long of nanoseconds. */
    public static final Duration MAX = Duration.ofDays(36_500);

    private static final Pattern FORMAT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws BadSettingsException when the text is not a whole number and one of the units, or more than {@link #MAX}
     */
    public static Duration parse(String text) throws BadSettingsException {
        Duration duration = unlimited(text);
        if (duration.compareTo(MAX) > 0) {
            throw new BadSettingsException("expected a duration of at most " + MAX.toDays() + "d, but got " + text);
        }
        return duration;
    }

    /**
     * Refuses a setting that is no duration of a range. Its text is that range, for the printed settings.
     *
     * @param least the shortest, as people write it
     * @param most the longest
     */
    public static ConfigDef.Validator within(String least, String most) {
        return ConfigDef.LambdaValidator.with(
                (key, value) -> {
                    try {
                        Duration given = parse(String.valueOf(value));
                        if (given.compareTo(parse(least)) < 0 || given.compareTo(parse(most)) > 0) {
                            throw new BadSettingsException(
                                    "expected a duration of " + least + " to " + most + ", but got " + value);
                        }
                    } catch (BadSettingsException e) {
                        throw new ConfigException(key + ": " + e.getMessage());
                    }
                },
                () -> "[" + least + ",...," + most + "]");
    }

    /** The duration in a setting that was checked by {@link #within}. */
    public static Duration of(AbstractConfig values, String key) {
        try {
            return parse(values.getString(key));
        } catch (BadSettingsException e) {
            throw new IllegalStateException("Expected a duration that was checked as " + key, e);
        }
    }

    private static Duration unlimited(String text) throws BadSettingsException {
        Matcher matcher = FORMAT.matcher(text);
        if (!matcher.matches()) {
            throw new BadSettingsException("expected a duration such as 500ms, 2s, 5m, 1h or 7d, but got " + text);
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
