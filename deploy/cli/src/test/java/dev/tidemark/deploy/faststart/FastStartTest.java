package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class FastStartTest {

    @Test
    void listsOfAllProcessesArePutTogetherWithoutRepetition(@TempDir Path lists) throws IOException {
        Files.write(lists.resolve("1"), List.of("java/lang/Object", "a/Writer"));
        Files.write(lists.resolve("2"), List.of("java/lang/Object", "a/Broker"));
        Files.write(lists.resolve("3"), List.of("java/lang/Object", "a/Worker", "a/Writer"));

        assertThat(FastStart.union(lists)).containsExactly("java/lang/Object", "a/Writer", "a/Broker", "a/Worker");
    }

    @Test
    void aProgramSucceedsWhenItExitsWithZero(@TempDir Path directory) throws IOException, InterruptedException {
        Path log = directory.resolve("log");

        assertThat(FastStart.succeeds(new ProcessBuilder("echo", "done"), log)).isTrue();
        assertThat(log).hasContent("done");
        assertThat(FastStart.succeeds(new ProcessBuilder("false"), log)).isFalse();
    }
}
