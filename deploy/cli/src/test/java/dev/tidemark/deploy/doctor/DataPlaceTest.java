package dev.tidemark.deploy.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.doctor.Finding.Verdict;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.DirectoryInUseException;

import static org.assertj.core.api.Assertions.assertThat;

class DataPlaceTest {
    private static final long GIB = 1L << 30;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aDirectoryThatCanBeMadeIsGoodAndIsNotMade() {
        Path wanted = directory.resolve("var/lib/writer");

        DataPlace place = DataPlace.at(wanted);

        assertThat(place.problem()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aUserWithoutANameOwnsWhatItsNumberOwns() {
        assertThat(judged(DataPlace.at(directory)))
                .noneMatch(finding -> finding.found().contains("belongs to"));
    }

    @Test
    void whatTriesTheDiskIsRemoved() {
        assertThat(DataPlace.at(directory).problem()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aDirectoryBelowAFileFails() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThat(judged(DataPlace.at(file.resolve("writer"))))
                .singleElement()
                .returns(Verdict.FAILED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.advice()).contains("sudo -u tidemark", "data.dir"));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theProcessThatUsesItIsNamed() {
        Path used = directory.resolve("used");
        try (DataDirectory taken = DataDirectory.take(used)) {
            assertThat(taken.path()).isEqualTo(used);
            assertThat(judged(DataPlace.at(used)))
                    .first()
                    .returns(Verdict.OK, Finding::verdict)
                    .satisfies(finding -> assertThat(finding.found())
                            .contains("in use by process "
                                    + ProcessHandle.current().pid()));
        } catch (DirectoryInUseException e) {
            throw new AssertionError(e);
        }
        assertThat(DataPlace.at(used).holder()).isEmpty();
    }

    @Test
    void littleSpaceWarnsAndNearlyNoneFails() {
        assertThat(judged(place("ext4", GIB / 2, false)))
                .extracting(Finding::verdict)
                .containsExactly(Verdict.WARNING);
        assertThat(judged(place("ext4", 1 << 20, false)))
                .extracting(Finding::verdict)
                .containsExactly(Verdict.FAILED);
    }

    @Test
    void memoryIsNoDiskAndNetworkIsADoubtfulOne() {
        assertThat(judged(place("tmpfs", 9 * GIB, false)))
                .extracting(Finding::verdict)
                .contains(Verdict.FAILED);
        assertThat(judged(place("nfs4", 9 * GIB, false)))
                .extracting(Finding::verdict)
                .contains(Verdict.WARNING);
    }

    @Test
    void aDirectoryThatOthersReadAndAnotherOwnerWarn() {
        assertThat(judged(place("ext4", 9 * GIB, true)))
                .last()
                .returns(Verdict.WARNING, Finding::verdict)
                .satisfies(finding -> assertThat(finding.advice()).contains("chmod 700"));
        DataPlace strange = new DataPlace(
                Path.of("/data"), "ext4", 9 * GIB, Optional.empty(), Optional.of("tidemark"), false, Optional.empty());
        assertThat(judged(strange))
                .last()
                .satisfies(finding -> assertThat(finding.advice()).contains("sudo -u tidemark"));
    }

    private static List<Finding> judged(DataPlace place) {
        Findings findings = new Findings();
        place.judge("writer disk", GIB, "?", findings);
        return findings.all();
    }

    private static DataPlace place(String fileSystem, long free, boolean open) {
        return new DataPlace(
                Path.of("/data"), fileSystem, free, Optional.empty(), Optional.empty(), open, Optional.empty());
    }
}
