package dev.tidemark.progress;

import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.row.RowVersion;

/**
 * What the owner of a partition writes beside the offset that it commits. Only the owner can commit, so everyone who
 * can read the group knows who answers for the partition, and how far it is, even when that worker is gone.
 *
 * <p>The text is {@code tidemark2 <watermark> <version> <url> <instance> <generation>,<generation>... <rack>}, with
 * {@code -} for an unknown watermark and for no generation. An owner that knows no rack leaves it out. Readers pass
 * over further words.
 *
 * @param progress how complete the partition is there
 * @param url where other workers reach the owner
 * @param instance name of the owner's data directory; without blanks
 * @param generations the numbers of those generations that answer
 * @param rack where the owner runs; without blanks, and empty where it knows none
 */
public record OffsetNote(Progress progress, URI url, String instance, SortedSet<Long> generations, String rack) {
    private static final String FORM = "tidemark2";
    private static final String NONE = "-";
    private static final int LEAST_WORDS = 6;

    public OffsetNote {
        generations = Collections.unmodifiableSortedSet(new TreeSet<>(generations));
    }

    /** The note of an owner that knows no rack. */
    public OffsetNote(Progress progress, URI url, String instance, SortedSet<Long> generations) {
        this(progress, url, instance, generations, "");
    }

    /** The note in a text; empty when the text is none. */
    public static Optional<OffsetNote> parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length < LEAST_WORDS || !words[0].equals(FORM)) {
            return Optional.empty();
        }
        try {
            Instant watermark = words[1].equals(NONE) ? Instant.MIN : Instant.parse(words[1]);
            SortedSet<Long> generations = words[5].equals(NONE)
                    ? new TreeSet<>()
                    : Stream.of(words[5].split(",", -1))
                            .map(Long::valueOf)
                            .collect(Collectors.toCollection(TreeSet::new));
            return Optional.of(new OffsetNote(
                    new Progress(watermark, RowVersion.parse(words[2])),
                    URI.create(words[3]),
                    words[4],
                    generations,
                    words.length > LEAST_WORDS ? words[LEAST_WORDS] : ""));
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The text that {@link #parse} takes. */
    @Override
    public String toString() {
        String watermark = progress.isWhole() ? progress.completeUpTo().toString() : NONE;
        String serving = generations.isEmpty()
                ? NONE
                : generations.stream().map(String::valueOf).collect(Collectors.joining(","));
        String known =
                String.join(" ", FORM, watermark, progress.through().toString(), url.toString(), instance, serving);
        return rack.isEmpty() ? known : known + " " + rack;
    }
}
