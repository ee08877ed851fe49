package dev.tidemark.change;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;

/**
 * The RFC 3339 times of events. {@link Instant#parse} took a third of the time of reading an event, so the form that
 * {@link Instant#toString} writes for the years 0 to 9999 is read by hand, and every other form by that.
 */
final class CommitTime {
    private static final int SECONDS_END = 19;
    private static final int MAX_DIGITS = 9;
    private static final int DAY = 86_400;

    private CommitTime() {}

    /**
     * Reads a time.
     *
     * @throws DateTimeException when the text is none
     */
    static Instant parse(String text) {
        return isUsual(text) ? usual(text) : Instant.parse(text);
    }

    /**
     * Whether the text is like {@code 2026-01-31T23:59:59.123456Z}, with up to nine digits after the dot, or without a
     * dot.
     */
    private static boolean isUsual(String text) {
        int end = text.length() - 1;
        if (end < SECONDS_END || text.charAt(end) != 'Z') {
            return false;
        }
        for (int i = 0; i < SECONDS_END; i++) {
            char wanted = "0000-00-00T00:00:00".charAt(i);
            if (wanted == '0' ? !isDigit(text.charAt(i)) : text.charAt(i) != wanted) {
                return false;
            }
        }
        return end == SECONDS_END || isFraction(text, end);
    }

    private static boolean isFraction(String text, int end) {
        int digits = end - SECONDS_END - 1;
        if (text.charAt(SECONDS_END) != '.' || digits < 1 || digits > MAX_DIGITS) {
            return false;
        }
        for (int i = SECONDS_END + 1; i < end; i++) {
            if (!isDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static Instant usual(String text) {
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, SECONDS_END);
        if (hour > 23 || minute > 59 || second > 59) {
            // A leap second, the end of a day, or nonsense.
            return Instant.parse(text);
        }
        long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
                .toEpochDay();
        int digits = text.length() - SECONDS_END - 2;
        int nanos = digits < 1 ? 0 : number(text, SECONDS_END + 1, text.length() - 1);
        for (int missing = digits < 1 ? 0 : MAX_DIGITS - digits; missing > 0; missing--) {
            nanos *= 10;
        }
        return Instant.ofEpochSecond(day * DAY + hour * 3_600L + minute * 60L + second, nanos);
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
