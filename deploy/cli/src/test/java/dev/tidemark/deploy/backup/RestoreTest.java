package dev.tidemark.deploy.backup;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.PrivateFiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RestoreTest {
    private static final List<BackupPart> ALL = BackupPart.chosen(Optional.empty());

    @TempDir
    private Path root = Path.of("");

    @Test
    void whatWasTakenIsPutBackBesideWhatIsNoPartOfIt() throws Exception {
        backUp();
        write("data/writer/witness", "stays");

        assertThat(restore()).containsExactly(root.resolve("data/worker/shards"), root.resolve("data/writer/facts"));

        assertThat(root.resolve("made")).doesNotExist();
        assertThat(root.resolve("data/writer/facts/CURRENT")).hasContent("rows");
        assertThat(root.resolve("data/worker/shards/a-0/CURRENT")).hasContent("entries");
        assertThat(root.resolve("data/writer/witness")).hasContent("stays");
    }

    @Test
    void isForThisUserAloneAsIsWhatIsPutBack() throws Exception {
        backUp();
        restore();

        for (String path : List.of(
                "backup",
                "backup/manifest",
                "backup/writer/facts",
                "backup/writer/facts/CURRENT",
                "data/writer/facts",
                "data/writer/facts/CURRENT",
                "data/worker/shards/a-0")) {
            assertThat(PrivateFiles.isOpenToOthers(root.resolve(path))).as(path).isFalse();
        }
    }

    @Test
    void isCompleteOnceItsNamesSurviveAPowerCutAndWhatServicesMadeStaysUntilThen() throws Exception {
        write("made/writer/facts/CURRENT", "rows");
        List<String> synced = new ArrayList<>();
        try (NewBackup backup = NewBackup.at(
                root.resolve("backup"),
                directory -> synced.add(root.relativize(directory) + ":" + Files.exists(root.resolve("backup/manifest"))
                        + Files.exists(root.resolve("made/writer/facts/CURRENT"))))) {
            backup.take("writer", root.resolve("made/writer"));
            backup.complete();
        }

        assertThat(synced)
                .containsExactly(
                        "backup:truetrue", "backup/writer:truetrue", "backup/writer/facts:truetrue", ":truetrue");
        assertThat(root.resolve("made")).isEmptyDirectory();
    }

    @Test
    void whatIsPutBackSurvivesAPowerCut() throws Exception {
        backUp();
        List<String> synced = new ArrayList<>();

        Restore.run(
                root.resolve("backup"),
                root.resolve("data"),
                ALL,
                directory -> synced.add(root.resolve("data").relativize(directory) + ":"
                        + Files.exists(root.resolve("data/writer/facts"))));

        assertThat(synced)
                .contains("writer/.facts.unfinished:false", "worker/.shards.unfinished/a-0:false", "writer:true");
    }

    @Test
    void isNotMadeOverAnotherOne() throws Exception {
        backUp();

        assertThatThrownBy(() -> NewBackup.at(root.resolve("backup")))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("expected nothing at");
    }

    @Test
    void aFailedOneLeavesNothingBehindAndDoesNotHinderTheNext() throws Exception {
        write("made/worker/shards/a-0/CURRENT", "entries");
        try (NewBackup failed = NewBackup.at(root.resolve("backup"))) {
            failed.take("worker", root.resolve("made/worker"));
            assertThatThrownBy(() -> failed.take("writer", root.resolve("made/writer")))
                    .isInstanceOf(BackupException.class)
                    .hasMessageContaining("runs on the machine of the service");
        }

        assertThat(root.resolve("made")).isEmptyDirectory();
        assertThat(root.resolve("backup")).doesNotExist();
        backUp();
    }

    @Test
    void aCopyOfAnotherUserIsNotTakenForOneOnAnotherMachine() {
        assertThat(NewBackup.unseen("writer", root, new AccessDeniedException("facts")))
                .hasMessageContaining("runs as the user of the service")
                .hasMessageContaining("remove it there");
    }

    @Test
    void isNotPutBackOverWhatIsThere() throws Exception {
        backUp();
        write("data/worker/shards/a-0/CURRENT", "newer");

        assertRefused("move them aside");

        assertThat(root.resolve("data/worker/shards/a-0/CURRENT")).hasContent("newer");
    }

    @Test
    void isPutBackForTheWriterAloneWhileAWorkerHasShards() throws Exception {
        backUp();
        write("data/worker/shards/a-0/CURRENT", "newer");

        try (DataDirectory running = DataDirectory.take(root.resolve("data/worker"))) {
            assertThat(Restore.run(
                            root.resolve("backup"),
                            root.resolve("data"),
                            BackupPart.chosen(Optional.of(BackupPart.WRITER))))
                    .containsExactly(root.resolve("data/writer/facts"));
            assertThat(running.path().resolve("shards/a-0/CURRENT")).hasContent("newer");
        }

        assertThat(root.resolve("data/writer/facts/CURRENT")).hasContent("rows");
    }

    @Test
    void isNotPutBackInPlaceOfALinkToAnotherDisk() throws Exception {
        backUp();
        Path disk = Files.createDirectories(root.resolve("disk/facts"));
        Path link = root.resolve("data/writer/facts");
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, disk);

        assertThatThrownBy(this::restore)
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("expected no link at " + link);

        assertThat(link).isSymbolicLink();
    }

    @Test
    void isNotMadeThroughALinkToAnotherOne() throws Exception {
        backUp();
        Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("backup"));

        assertThatThrownBy(() -> NewBackup.at(link))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("expected nothing at");
    }

    @Test
    void isNotPutBackUnderARunningService() throws Exception {
        backUp();
        try (DataDirectory running = DataDirectory.take(root.resolve("data/worker"))) {
            assertRefused("expected writer and worker to be stopped");
            assertThat(running.path().resolve("shards")).doesNotExist();
        }
    }

    @Test
    void isRefusedByNameWhenAFileIsDamaged() throws Exception {
        backUp();
        write("backup/writer/facts/CURRENT", "rowt");

        assertRefused("the backup is damaged: expected " + root.resolve("backup/writer/facts/CURRENT"));
    }

    @Test
    void isRefusedByNameWhenAFileIsMissing() throws Exception {
        backUp();
        Files.delete(root.resolve("backup/worker/shards/a-0/CURRENT"));

        assertRefused(
                "the backup is incomplete: expected the file " + root.resolve("backup/worker/shards/a-0/CURRENT"));
    }

    @Test
    void isRefusedWhenItWasNotFinished() throws Exception {
        backUp();
        Files.delete(root.resolve("backup/manifest"));

        assertRefused("it is none, or was not finished");
    }

    @Test
    void aListOfFilesDoesNotPointOutsideTheBackup() throws Exception {
        backUp();
        Path manifest = root.resolve("backup/manifest");
        Files.writeString(manifest, Files.readString(manifest).replace("writer/facts/CURRENT", "writer/facts/../../x"));

        assertRefused("expected paths inside the backup");
    }

    private void backUp() throws Exception {
        write("made/writer/facts/CURRENT", "rows");
        write("made/worker/shards/a-0/CURRENT", "entries");
        try (NewBackup backup = NewBackup.at(root.resolve("backup"))) {
            assertThat(backup.take("worker", root.resolve("made/worker"))).isEqualTo("entries".length());
            backup.take("writer", root.resolve("made/writer"));
            backup.complete();
        }
        Files.delete(root.resolve("made"));
    }

    private List<Path> restore() throws Exception {
        return Restore.run(root.resolve("backup"), root.resolve("data"), ALL);
    }

    private void assertRefused(String why) {
        assertThatThrownBy(this::restore).isInstanceOf(BackupException.class).hasMessageContaining(why);
        assertThat(root.resolve("data/writer/facts")).doesNotExist();
        assertThat(root.resolve("data/writer/.facts.unfinished")).doesNotExist();
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
