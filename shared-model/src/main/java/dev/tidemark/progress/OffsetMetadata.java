package dev.tidemark.progress;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

import dev.tidemark.row.RowVersion;

/**
 * The note that a worker leaves beside its committed group offset, so that anyone who can read the group knows how far
 * the worker is, even when the worker is gone. Text: {@code tidemark1 <watermark> <version>}.
 */
public final class OffsetMetadata {
    private static final String FORMAT = "tidemark1";

    private OffsetMetadata() {}

    /** The note for some progress; empty text while nothing is known. */
    public static String write(Progress progress) {
        return progress.watermark()
                .map(watermark -> FORMAT + " " + watermark + " " + progress.through())
                .orElse("");
    }

    /** The progress in a note; empty when the text is no such note. */
    public static Optional<Progress> read(String note) {
        String[] words = note.split(" ", -1);
        if (words.length != 3 || !words[0].equals(FORMAT)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Progress(Instant.parse(words[1]), RowVersion.parse(words[2])));
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
