package dev.tidemark.progress;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.change.SourceMark;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;

class OffsetNoteTest {
    private static final Instant TIME = Instant.parse("2024-01-01T00:00:01.123456789Z");
    private static final URI URL = URI.create("https://worker-7.example:8082");

    @Test
    void survivesAsText() {
        OffsetNote note = new OffsetNote(
                new Progress(TIME, new RowVersion(12, 345)), URL, "worker-1", new TreeSet<>(List.of(7L, 3L)));

        assertThat(note).hasToString("tidemark2 " + TIME + " 0012000000000000345 " + URL + " worker-1 3,7");
        assertThat(OffsetNote.parse(note.toString())).contains(note);
    }

    @Test
    void namesTheRackOfAWorkerThatKnowsIt() {
        OffsetNote note =
                new OffsetNote(Progress.UNKNOWN, URL, "worker-1", new TreeSet<>(List.of(7L)), "eu-central-1a");

        assertThat(note.toString()).endsWith(" worker-1 7 eu-central-1a");
        assertThat(OffsetNote.parse(note.toString())).contains(note);
        assertThat(OffsetNote.parse(note + " what-a-later-version-adds")).contains(note);
    }

    @Test
    void aWorkerThatKnowsNothingYetHasANoteToo() {
        OffsetNote note = new OffsetNote(Progress.UNKNOWN, URL, "worker-1", new TreeSet<>());

        assertThat(OffsetNote.parse(note.toString())).contains(note);
    }

    @Test
    void aWorkerThatIsWholeAndKnowsNothingOfASourceSaysSo() {
        Progress whole = Progress.UNKNOWN.after(
                new Heartbeat(TIME, new RowVersion(1, 2)).with(new SourceMark(Optional.empty())));
        OffsetNote note = new OffsetNote(whole, URL, "worker-1", new TreeSet<>());

        assertThat(OffsetNote.parse(note.toString())).contains(note);
        assertThat(whole.isWhole()).isTrue();
        assertThat(whole.watermark()).isEmpty();
    }

    @Test
    void theLongestNoteIsTakenByABroker() {
        long last = 9_999_999_999L;
        int most = 2 * TableDefinition.MAX_INDEXES;
        OffsetNote note = new OffsetNote(
                new Progress(TIME, new RowVersion(9_999, 999_999_999_999_999L)),
                URI.create("https://" + "w".repeat(504)),
                "i".repeat(249),
                LongStream.range(last - most, last).boxed().collect(Collectors.toCollection(TreeSet::new)),
                "r".repeat(128));

        assertThat(note.toString().getBytes(StandardCharsets.UTF_8).length).isBetween(3_500, 4_095);
        assertThat(OffsetNote.parse(note.toString())).contains(note);
    }

    @Test
    void readsNoOtherText() {
        String good = new OffsetNote(new Progress(TIME, new RowVersion(1, 1)), URL, "w", new TreeSet<>()).toString();
        assertThat(OffsetNote.parse(good)).isPresent();
        for (String text : List.of(
                "",
                "something else",
                "tidemark1 2024-01-01T00:00:01Z 0001000000000000001",
                good.replace("tidemark2", "tidemark3"),
                good.replace(TIME.toString(), "yesterday"),
                good.replace("0001000000000000001", "1"),
                good.replace(" -", " 1,,2"),
                good.replace(" -", " one"))) {
            assertThat(OffsetNote.parse(text)).as(text).isEmpty();
        }
    }
}
