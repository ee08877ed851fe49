package dev.tidemark.row;

/**
 * Which state of a row is the newer one. Assigned by the single committer of a fact table in commit order, never
 * derived from a Kafka offset: offsets differ between partitions and start again with a new topic.
 *
 * @param epoch moves when the fact table may have gone back in time; 1 to 9,999
 * @param sequence position in commit order over all tables of one writer; 1 to 10^15 - 1, 0 for "before the first"
 */
public record RowVersion(long epoch, long sequence) implements Comparable<RowVersion> {

    /** Older than every version a writer assigns. */
    public static final RowVersion NONE = new RowVersion(0, 0);

    static final int SEQUENCE_DIGITS = 15;
    static final int TEXT_DIGITS = 19;

    /** The last epoch that there can be. */
    public static final long MAX_EPOCH = 9_999;

    /** The last sequence that there can be. */
    public static final long MAX_SEQUENCE = 999_999_999_999_999L;

    public RowVersion {
        if (epoch < 0 || epoch > MAX_EPOCH) {
            throw new IllegalArgumentException("Expected an epoch of 0 to " + MAX_EPOCH + ", but got " + epoch);
        }
        if (sequence < 0 || sequence > MAX_SEQUENCE) {
            throw new IllegalArgumentException("Expected a sequence of 0 to " + MAX_SEQUENCE + ", but got " + sequence);
        }
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws IllegalArgumentException when the text is not 19 decimal digits
     */
    public static RowVersion parse(String text) {
        if (text.length() != TEXT_DIGITS || !isDigits(text)) {
            throw new IllegalArgumentException("Expected a version of " + TEXT_DIGITS + " digits, but got " + text);
        }
        int split = TEXT_DIGITS - SEQUENCE_DIGITS;
        return new RowVersion(Long.parseLong(text, 0, split, 10), Long.parseLong(text, split, TEXT_DIGITS, 10));
    }

    private static boolean isDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    public boolean isAfter(RowVersion other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(RowVersion other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(sequence, other.sequence);
    }

    /** Nineteen digits whose order as text is the order of versions. */
    @Override
    public String toString() {
        String digits = Long.toString(sequence);
        String head = Long.toString(epoch);
        return "0".repeat(TEXT_DIGITS - SEQUENCE_DIGITS - head.length())
                + head
                + "0".repeat(SEQUENCE_DIGITS - digits.length())
                + digits;
    }
}
