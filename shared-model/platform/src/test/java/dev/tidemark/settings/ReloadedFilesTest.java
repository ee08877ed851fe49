package dev.tidemark.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.testkit.SecretFiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReloadedFilesTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void usesWhatTheFileHoldsAfterAChange() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "one");
        ReloadedFiles<String> files = open(file);
        assertThat(files.refresh()).isFalse();

        Files.writeString(file, "three");

        assertThat(files.refresh()).isTrue();
        assertThat(files.current()).isEqualTo("three");
    }

    @Test
    void noticesALinkThatPointsElsewhere() throws Exception {
        Path one = Files.writeString(directory.resolve("one"), "one");
        Path two = Files.writeString(directory.resolve("two"), "two");
        Files.setLastModifiedTime(two, Files.getLastModifiedTime(one));
        Path link = Files.createSymbolicLink(directory.resolve("link"), one);
        ReloadedFiles<String> files = open(link);

        Files.delete(link);
        Files.createSymbolicLink(link, two);

        assertThat(files.refresh()).isTrue();
        assertThat(files.current()).isEqualTo("two");
    }

    @Test
    void keepsWhatItHasWhileTheFileIsBad() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "one");
        ReloadedFiles<String> files = open(file);

        Files.writeString(file, "");
        assertThat(files.refresh()).isFalse();
        assertThat(files.current()).isEqualTo("one");
        assertThat(files.trouble()).hasValueSatisfying(text -> assertThat(text).contains("word", "empty"));

        Files.writeString(file, "good");
        assertThat(files.refresh()).isTrue();
        assertThat(files.trouble()).isEmpty();
    }

    @Test
    void keepsWhatItHasWhileAFileBreaksItsParserAndDoesNotShowTheFile() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "one");
        ReloadedFiles<String> files = open(file);

        Files.writeString(file, "canary of a secret");
        assertThat(files.refresh()).isFalse();
        assertThat(files.current()).isEqualTo("one");
        assertThat(files.trouble())
                .hasValueSatisfying(text ->
                        assertThat(text).contains("IllegalStateException").doesNotContain("canary"));
        assertThatThrownBy(() -> open(file)).isInstanceOf(BadSettingsException.class);

        Files.writeString(file, "good");
        assertThat(files.refresh()).isTrue();
        assertThat(files.trouble()).isEmpty();
    }

    @Test
    void readsAFileOnceOthersMayNoLongerUseIt() throws Exception {
        Path file = SecretFiles.write(directory.resolve("file"), "one");
        ReloadedFiles<String> files = ReloadedFiles.open(
                "secret", List.of(file), () -> new String(SecretFile.read(file), StandardCharsets.UTF_8));
        Path next = Files.writeString(directory.resolve("next"), "two");
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));

        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        assertThat(files.refresh()).isFalse();
        assertThat(files.trouble()).hasValueSatisfying(text -> assertThat(text).contains("chmod 600"));

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(files.refresh()).isTrue();
        assertThat(files.current()).isEqualTo("two");
        assertThat(files.trouble()).isEmpty();
    }

    @Test
    void readsAFileAgainUntilNothingFailsAtIt() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "one");
        AtomicInteger failures = new AtomicInteger();
        ReloadedFiles<String> files = ReloadedFiles.open("word", List.of(file), () -> {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new BadSettingsException("too many open files");
            }
            return new String(SecretFile.readPublic(file), StandardCharsets.UTF_8);
        });

        Files.writeString(file, "three");
        failures.set(2);
        assertThat(files.refresh()).isFalse();
        assertThat(files.refresh()).isFalse();
        assertThat(files.current()).isEqualTo("one");

        assertThat(files.refresh()).isTrue();
        assertThat(files.current()).isEqualTo("three");
        assertThat(files.refresh()).isFalse();
    }

    @Test
    void isNotMadeOfABadFile() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() -> open(file)).hasMessage("empty");
        assertThatThrownBy(() -> open(directory.resolve("none"))).hasMessageContaining("there is none");
    }

    private static ReloadedFiles<String> open(Path file) throws BadSettingsException {
        return ReloadedFiles.open("word", List.of(file), () -> {
            String text = new String(SecretFile.readPublic(file), StandardCharsets.UTF_8);
            if (text.startsWith("canary")) {
                throw new IllegalStateException(text);
            }
            if (text.isEmpty()) {
                throw new BadSettingsException("empty");
            }
            return text;
        });
    }
}
