package dev.tidemark.deploy.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Numbers as people read them. */
public final class Amounts {
    /** Stands where a number is not known. */
    public static final String UNKNOWN = "unknown";

    private static final List<String> BYTES = List.of("B", "kB", "MB", "GB", "TB");

    private static final BigDecimal SECOND = BigDecimal.valueOf(1_000);

    private Amounts() {}

    /** With separators: {@code 15,291}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** A member of an answer, with separators. */
    static String count(JsonNode answer, String member) {
        return count(answer.path(member).asLong());
    }

    /** A number and its noun: {@code 1 row}, {@code 2 rows}. */
    public static String count(long number, String singular, String plural) {
        return count(number) + " " + (number == 1 ? singular : plural);
    }

    /** In the unit that fits: {@code 132 ms}, {@code 4.2 s}, {@code 3.5 min}. */
    public static String seconds(double seconds) {
        return rounded(seconds, RoundingMode.HALF_UP);
    }

    private static String rounded(double seconds, RoundingMode mode) {
        BigDecimal exact = BigDecimal.valueOf(seconds);
        BigDecimal millis = exact.movePointRight(3).setScale(0, mode);
        if (millis.compareTo(SECOND) < 0) {
            return millis + " ms";
        }
        if (seconds < 90) {
            return tenths(exact, 1, mode) + " s";
        }
        if (seconds < 5_400) {
            return tenths(exact, 60, mode) + " min";
        }
        return seconds < 129_600 ? tenths(exact, 3_600, mode) + " h" : tenths(exact, 86_400, mode) + " d";
    }

    private static BigDecimal tenths(BigDecimal seconds, long unit, RoundingMode mode) {
        return seconds.divide(BigDecimal.valueOf(unit), 1, mode);
    }

    /** In the unit that fits: {@code 512 B}, {@code 1.5 MB}; a thousand of one make one of the next. */
    public static String bytes(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= 999.95 && unit < BYTES.size() - 1) {
            amount /= 1_000;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", amount, BYTES.get(unit));
    }

    public static String seconds(@Nullable Double seconds) {
        return seconds == null ? UNKNOWN : seconds(seconds.doubleValue());
    }

    /** An upper bound, rounded up so that it stays one: 4.21 seconds are {@code 4.3 s}. */
    public static String atMost(@Nullable Double seconds) {
        return seconds == null ? UNKNOWN : rounded(seconds, RoundingMode.CEILING);
    }

    /** The same of a duration. */
    static String atMost(Duration duration) {
        return atMost(duration.toNanos() / 1e9);
    }

    public static String duration(Duration duration) {
        return seconds(duration.toNanos() / 1e9);
    }

    /** How many a second, without decimals. */
    public static String rate(long count, Duration time) {
        return count(Math.round(count / Math.max(time.toNanos() / 1e9, 1e-3)));
    }
}
