package dev.tidemark.change;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/**
 * The offset at which the relay expects a record when it sends it, carried in a separate header. A record has another
 * offset where the broker lost records before it, or where another producer's records came between. The record then
 * does not prove that everything before it is there, and a reader applies it without moving its progress.
 *
 * @param offset the offset that it has unless something went wrong; {@link #UNKNOWN} where the relay does not vouch for
 *     what comes before it
 * @param known the relay knows what stands before this offset; what it sent since is on its way
 * @param session number of the producer that sends it, higher than that of every producer before; 0 where an older
 *     writer did not record it
 */
public record ExpectedPosition(long offset, long known, long session) {
    /** A CloudEvents extension: the three numbers, or the first alone. */
    public static final String HEADER = "ce_offset";

    /** No record has this offset. */
    public static final long UNKNOWN = -1;

    private static final Duration MOST_AHEAD = Duration.ofDays(1);

    /** Of a record that proves nothing. */
    public static final ExpectedPosition NONE = new ExpectedPosition(UNKNOWN, 0, 0);

    /**
     * Whether a producer of the writer may have a number. It is the time at which the producer began, in microseconds
     * since 1970, or more. Clocks may go back, and these numbers do not.
     *
     * @param now what the clock of the writer shows
     */
    public static boolean isBelievable(long session, Instant now) {
        Instant begun = Instant.EPOCH.plus(session, ChronoUnit.MICROS);
        return !begun.minus(MOST_AHEAD).isAfter(now);
    }

    /** The same record, which proves nothing of what comes before it. */
    public ExpectedPosition unknown() {
        return new ExpectedPosition(UNKNOWN, known, session);
    }

    /** The value of the header. */
    public String text() {
        return offset + " " + known + " " + session;
    }

    /** What the header of a record says; {@link #NONE} where it cannot be read, and empty where there is none. */
    public static Optional<ExpectedPosition> of(Map<String, String> headers) {
        return Optional.ofNullable(headers.get(HEADER)).map(ExpectedPosition::parse);
    }

    private static ExpectedPosition parse(String text) {
        try {
            int first = text.indexOf(' ');
            if (first < 0) {
                long offset = Long.parseLong(text);
                return new ExpectedPosition(offset, offset, 0);
            }
            int second = text.indexOf(' ', first + 1);
            return new ExpectedPosition(
                    Long.parseLong(text, 0, first, 10),
                    Long.parseLong(text, first + 1, second, 10),
                    Long.parseLong(text, second + 1, text.length(), 10));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return NONE;
        }
    }
}
