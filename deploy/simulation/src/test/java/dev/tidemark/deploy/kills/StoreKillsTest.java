package dev.tidemark.deploy.kills;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.util.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills processes that write to a store. {@code -Dstore.kills=N} sets how many, {@code -Dstore.kills.seed=S} repeats what was
 * written, though not to the microsecond when it was cut off.
 */
class StoreKillsTest {
    private static final int KILLS = Integer.getInteger("store.kills", 60);
    private static final long SEED = Long.getLong("store.kills.seed", System.nanoTime());

    @TempDir(factory = InMemory.class)
    private Path directory = Path.of("");

    @ParameterizedTest
    @EnumSource
    void whatWasAcknowledgedIsThereAndNothingIsThereByHalf(TrialKind kind) throws Exception {
        Path library = Files.createDirectory(directory.resolve("library"));
        unpackLibrary(library);
        KillRun run = new KillRun(kind, directory, library, SEED);

        run.kill(KILLS / TrialKind.values().length);

        System.out.println(run);
        assertThat(run.acknowledged()).as("batches acknowledged by %s", run).isPositive();
    }

    /** What a killed process wrote is there without a disk, so it is kept in memory where it can be, and nobody waits for a disk. */
    private static final class InMemory implements TempDirFactory {
        private static final Path MEMORY = Path.of("/dev/shm");

        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            String prefix = "tidemark-store-kills";
            return Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, prefix)
                    : Files.createTempDirectory(prefix);
        }
    }

    /** Under the name that is looked for first: then no process unpacks it for itself and leaves it behind. */
    private static void unpackLibrary(Path to) throws IOException {
        String name = Environment.getJniLibraryFileName("rocksdb");
        try (InputStream library = ClassLoader.getSystemResourceAsStream(name)) {
            assertThat(library).as("native library %s", name).isNotNull();
            Files.copy(library, to.resolve(System.mapLibraryName(Environment.getSharedLibraryName("rocksdb"))));
        }
    }
}
