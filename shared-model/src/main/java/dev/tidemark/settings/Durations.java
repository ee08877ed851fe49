package dev.tidemark.settings;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 2s}, {@code 5m}, {@code 1h}, {@code 7d}. */
public final class Durations {
    private static final Pattern FORMAT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws BadSettingsException when the text is not a whole number and one of the units
     */
    public static Duration parse(String text) throws BadSettingsException {
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
