package dev.tidemark.writer.witness;

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
import dev.tidemark.writer.commit.CommitPoint;

import static org.assertj.core.api.Assertions.assertThat;

class FactWitnessTest {
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
    void goesOnAfterMoreNotesThanAnIntCounts() throws Exception {
        try (FactWitness witness = FactWitness.open(directory)) {
            witness.countFrom(Integer.MAX_VALUE);
            for (long sequence = 3; sequence <= 7; sequence++) {
                witness.note(point(sequence));
            }
        }

        assertThat(seen()).contains(point(7));
    }

    @Test
    void ofTwoPlacesWithOneVersionTheLaterPromiseIsSeen() throws Exception {
        CommitPoint promised = new CommitPoint(new RowVersion(1, 4), Instant.EPOCH.plusSeconds(100));
        try (FactWitness witness = FactWitness.open(directory)) {
            witness.note(point(4));
            witness.note(promised);
        }

        assertThat(seen()).contains(promised);
    }

    @Test
    void theFileIsForItsOwnerAlone() throws Exception {
        write(1);

        assertThat(PrivateFiles.isOpenToOthers(file())).isFalse();
    }

    private void write(long... sequences) throws IOException {
        try (FactWitness witness = FactWitness.open(directory)) {
            for (long sequence : sequences) {
                witness.note(point(sequence));
            }
        }
    }

    private Optional<CommitPoint> seen() throws IOException {
        try (FactWitness witness = FactWitness.open(directory)) {
            return witness.seen();
        }
    }

    private Path file() {
        return directory.resolve(FactWitness.FILE);
    }

    private static CommitPoint point(long sequence) {
        return new CommitPoint(new RowVersion(1, sequence), Instant.EPOCH.plusSeconds(sequence));
    }
}
