package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class LoadedClassesTest {

    @Test
    void listsOfTheBrokerAreKeptApartAndTheOthersPutTogetherWithoutRepetition(@TempDir Path lists) throws IOException {
        Files.write(lists.resolve("1"), List.of("java/lang/Object", "a/Writer"));
        Files.write(lists.resolve("2"), List.of("java/lang/Object", "dev/tidemark/broker/kafka/LocalBrokerMain"));
        Files.write(lists.resolve("3"), List.of("java/lang/Object", "a/Worker", "a/Writer"));

        LoadedClasses loaded = LoadedClasses.of(lists);

        assertThat(loaded.ofServices()).containsExactly("java/lang/Object", "a/Writer", "a/Worker");
        assertThat(loaded.ofBroker()).containsExactly("java/lang/Object", "dev/tidemark/broker/kafka/LocalBrokerMain");
    }
}
