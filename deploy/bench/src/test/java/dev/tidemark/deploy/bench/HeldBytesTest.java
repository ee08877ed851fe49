package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class HeldBytesTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void aFileThatGoesWhileItIsLookedForHoldsNothing() throws Exception {
        List<Path> files = List.of(directory.resolve("one"), directory.resolve("other"));
        for (Path file : files) {
            Files.write(file, new byte[70]);
        }
        ApplyBenchmark.HeldBytes held = new ApplyBenchmark.HeldBytes();

        Files.walkFileTree(directory, removingAllButTheFirst(files, held));

        assertThat(held.sum()).isEqualTo(70);
    }

    @Test
    void whatCannotBeLookedAtForAnotherReasonEndsTheWalk() {
        AccessDeniedException denied = new AccessDeniedException("shard");

        assertThatThrownBy(() -> new ApplyBenchmark.HeldBytes().visitFileFailed(directory, denied))
                .isSameAs(denied);
    }

    private static SimpleFileVisitor<Path> removingAllButTheFirst(List<Path> files, ApplyBenchmark.HeldBytes held) {
        return new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                for (Path other : files) {
                    if (!other.equals(file)) {
                        Files.delete(other);
                    }
                }
                return held.visitFile(file, attributes);
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                return held.visitFileFailed(file, failure);
            }
        };
    }
}
