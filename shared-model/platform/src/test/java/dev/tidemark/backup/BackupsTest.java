package dev.tidemark.backup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.row.BadInputException;
import dev.tidemark.runtime.PrivateFiles;
import dev.tidemark.testkit.ManualClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BackupsTest {
    private final Map<String, BackupSource> sources = new TreeMap<>();
    private Optional<BackupRefusal> refusal = Optional.empty();

    @TempDir
    private Path root = Path.of("");

    @Test
    void holdsEverySourceInItsPlace() throws Exception {
        sources.put("shards/a-0", writing("0"));
        sources.put("shards/a-1", writing("11"));

        Backup made = backups().make(Optional.of("monday"));

        assertThat(made).isEqualTo(new Backup("monday", root.resolve("monday"), 3));
        assertThat(made.path().resolve("shards/a-1/file")).hasContent("11");
    }

    @Test
    void aFailedOneIsNotThereAndDoesNotHinderTheNext() throws Exception {
        sources.put("a", writing("0"));
        sources.put("b", to -> {
            throw new IllegalStateException("disk full");
        });
        Backups backups = backups();
        assertThatThrownBy(() -> backups.make(Optional.of("monday"))).hasMessage("disk full");
        assertThat(root.resolve("monday")).doesNotExist();

        sources.remove("b");

        assertThat(backups.make(Optional.of("monday")).path().resolve("a/file")).hasContent("0");
    }

    @Test
    void isNamedByTheTimeWhereNobodyNamesIt() throws Exception {
        sources.put("a", writing("0"));

        assertThat(backups().make(Optional.empty()).name()).matches("\\d{8}t\\d{6}");
    }

    @Test
    void refusesWhatIsNoNameAndWhatIsTaken() throws Exception {
        sources.put("a", writing("0"));
        backups().make(Optional.of("monday"));

        assertThatThrownBy(() -> backups().make(Optional.of("monday")))
                .isInstanceOfSatisfying(
                        BackupRefusedException.class,
                        refused -> assertThat(refused.isLasting()).isTrue());
        for (String name : new String[] {"", "..", "a/b", "/tmp", "A", "a\u0000", "a".repeat(64)}) {
            assertThatThrownBy(() -> backups().make(Optional.of(name))).isInstanceOf(BadInputException.class);
        }
    }

    @Test
    void refusesWhileNoneCanBeMade() {
        sources.put("a", writing("0"));
        refusal = Optional.of(BackupRefusal.forNow("not yet"));

        assertThatThrownBy(() -> backups().make(Optional.of("monday")))
                .isInstanceOfSatisfying(
                        BackupRefusedException.class,
                        refused -> assertThat(refused.isLasting()).isFalse())
                .hasMessage("not yet");
        assertThat(root.resolve("monday")).doesNotExist();
    }

    @Test
    void refusesAtOnceWhileAnotherIsBeingMade() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        sources.put("a", to -> {
            begun.countDown();
            awaitOrFail(released);
            writing("0").copyTo(to);
        });
        Backups backups = backups();
        FutureTask<Backup> first = start(backups, "monday");
        awaitOrFail(begun);

        for (String name : List.of("monday", "tuesday")) {
            FutureTask<Backup> second = start(backups, name);
            assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            BackupRefusedException.class,
                            refused -> assertThat(refused.isLasting()).isFalse())
                    .hasMessage("a backup is being made");
        }
        released.countDown();

        assertThat(first.get(10, TimeUnit.SECONDS).name()).isEqualTo("monday");
        assertThat(backups.make(Optional.of("tuesday")).bytes()).isOne();
    }

    private static FutureTask<Backup> start(Backups backups, String name) {
        FutureTask<Backup> making = new FutureTask<>(() -> backups.make(Optional.of(name)));
        new Thread(making, name).start();
        return making;
    }

    private static void awaitOrFail(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aCopyThatFailedLeavesNothingBehindNeitherDoesOneThatARunOfTheProcessDidNotEnd() throws Exception {
        Files.writeString(
                Files.createDirectories(root.resolve(".unfinished-x/a")).resolve("file"), "0");
        sources.put("b", to -> {
            writing("0").copyTo(to);
            throw new IllegalStateException("disk full");
        });

        assertThatThrownBy(() -> backups().make(Optional.empty())).hasMessage("disk full");

        assertThat(root).isEmptyDirectory();
    }

    @Test
    void isReportedOnceItsNamesSurviveAPowerCut() throws Exception {
        sources.put("shards/a-0", writing("0"));
        List<String> synced = new ArrayList<>();
        Backups backups = new Backups(
                root,
                () -> sources,
                () -> refusal,
                new ManualClock(),
                directory -> synced.add(root.relativize(directory) + ":" + Files.exists(root.resolve("monday"))));

        backups.make(Optional.of("monday"));

        assertThat(synced)
                .contains(
                        ".unfinished-monday:false",
                        ".unfinished-monday/shards:false",
                        ".unfinished-monday/shards/a-0:false")
                .endsWith(":true");
    }

    @Test
    void itsDirectorySurvivesAPowerCutToo() throws Exception {
        sources.put("a", writing("0"));
        Path made = root.resolve("backups");
        List<Path> synced = new ArrayList<>();
        Backups backups = new Backups(made, () -> sources, () -> refusal, new ManualClock(), synced::add);

        backups.make(Optional.of("monday"));
        backups.make(Optional.of("tuesday"));

        assertThat(synced).containsOnlyOnce(root).endsWith(made);
    }

    @Test
    void isForTheUserOfTheProcessAlone() throws Exception {
        sources.put("a", writing("0"));

        assertThat(PrivateFiles.isOpenToOthers(backups().make(Optional.empty()).path()))
                .isFalse();
    }

    private Backups backups() {
        return new Backups(root, () -> sources, () -> refusal, new ManualClock());
    }

    private static BackupSource writing(String text) {
        return to -> {
            try {
                Files.writeString(Files.createDirectory(to).resolve("file"), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }
}
