package dev.tidemark.writer.recovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.PrivateFiles;
import dev.tidemark.writer.commit.CommitPosition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CommitHighWaterMarkTest {
    @TempDir
    Path directory;

    @Test
    void aRunSeesTheLastPlaceThatTheRunBeforeWroteDown() throws Exception {
        assertThat(seen()).isEmpty();

        write(3, 4, 5);

        assertThat(seen()).contains(point(5));
        write(9);
        assertThat(seen()).contains(point(9));
    }

    @Test
    void anyDamageLeavesTheLastPlaceOrTheOneBeforeItAndNeverALaterOne() throws Exception {
        long seed = 20260101;
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            write(7, 8);
            byte[] whole = Files.readAllBytes(file());
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
            Files.write(file(), damaged);

            assertThat(seen()).as("seed %d, round %d", seed, i).isIn(Optional.of(point(7)), Optional.of(point(8)));
            Files.delete(file());
        }
    }

    @Test
    void aTruncatedFileTellsWhatIsLeftOfIt() throws Exception {
        write(7, 8);
        byte[] whole = Files.readAllBytes(file());
        Files.write(file(), java.util.Arrays.copyOf(whole, whole.length - 1));

        assertThat(seen()).contains(point(7));
        Files.write(file(), new byte[0]);
        assertThat(seen()).isEmpty();
    }

    @Test
    void refusesAFileThatANewerVersionWrote() throws Exception {
        NewerWitness.write(directory);
        byte[] written = Files.readAllBytes(file());

        assertThatThrownBy(this::seen)
                .isInstanceOf(NewerFormatException.class)
                .hasMessageContaining("witness to have format 1 at most, but it has format 2");
        assertThat(Files.readAllBytes(file())).isEqualTo(written);
    }

    @Test
    void goesOnAfterMoreNotesThanAnIntCounts() throws Exception {
        try (CommitHighWaterMark highWaterMark = CommitHighWaterMark.open(directory)) {
            highWaterMark.countFrom(Integer.MAX_VALUE);
            for (long sequence = 3; sequence <= 7; sequence++) {
                highWaterMark.note(point(sequence));
            }
        }

        assertThat(seen()).contains(point(7));
    }

    @Test
    void ofTwoPlacesWithOneVersionTheLaterPromiseIsSeen() throws Exception {
        CommitPosition promised = new CommitPosition(new RowVersion(1, 4), Instant.EPOCH.plusSeconds(100));
        try (CommitHighWaterMark highWaterMark = CommitHighWaterMark.open(directory)) {
            highWaterMark.note(point(4));
            highWaterMark.note(promised);
        }

        assertThat(seen()).contains(promised);
    }

    @Test
    void theFileIsForItsOwnerAlone() throws Exception {
        write(1);

        assertThat(PrivateFiles.isOpenToOthers(file())).isFalse();
    }

    private void write(long... sequences) throws IOException, NewerFormatException {
        try (CommitHighWaterMark highWaterMark = CommitHighWaterMark.open(directory)) {
            for (long sequence : sequences) {
                highWaterMark.note(point(sequence));
            }
        }
    }

    private Optional<CommitPosition> seen() throws IOException, NewerFormatException {
        try (CommitHighWaterMark highWaterMark = CommitHighWaterMark.open(directory)) {
            return highWaterMark.seen();
        }
    }

    private Path file() {
        return directory.resolve(CommitHighWaterMark.FILE);
    }

    private static CommitPosition point(long sequence) {
        return new CommitPosition(new RowVersion(1, sequence), Instant.EPOCH.plusSeconds(sequence));
    }
}
