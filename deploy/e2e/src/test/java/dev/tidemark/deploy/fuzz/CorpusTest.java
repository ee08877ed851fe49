package dev.tidemark.deploy.fuzz;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.fuzz.FuzzTarget;

import static org.assertj.core.api.Assertions.assertThat;

class CorpusTest {

    @ParameterizedTest
    @EnumSource
    void everyInputThatWasKeptIsReadOrRefusedAsDocumented(Target target) throws Exception {
        List<Path> inputs = inputs(target);
        assertThat(inputs).hasSizeGreaterThan(3);
        FuzzTarget taker = target.make();
        for (Path input : inputs) {
            try {
                taker.take(Files.readAllBytes(input));
            } catch (Exception | Error e) {
                throw new AssertionError(input.getFileName() + " brought out an error", e);
            }
        }
        if (taker instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }

    private static List<Path> inputs(Target target) throws IOException, URISyntaxException {
        String name = "/fuzz/" + target.name().toLowerCase(Locale.ROOT);
        URI directory =
                Objects.requireNonNull(CorpusTest.class.getResource(name), name).toURI();
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            return files.sorted().toList();
        }
    }
}
