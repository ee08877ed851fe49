package dev.tidemark.deploy.kills;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills processes that write to a store. {@code -Dstore.kills=N} sets how many, {@code -Dstore.kills.seed=S} repeats
 * what was written, though not to the microsecond when it was cut off.
 */
@Tag("slow")
class StoreKillsTest {
    private static final int KILLS = Integer.getInteger("store.kills", 60);
    private static final long SEED = Long.getLong("store.kills.seed", System.nanoTime());

    @TempDir(factory = InMemory.class)
    private Path directory = Path.of("");

    @ParameterizedTest
    @EnumSource
    void whatWasAcknowledgedIsThereAndNothingIsThereByHalf(TrialKind kind) throws Exception {
        Path library = UnpackedLibrary.below(directory);
        KillRun run = new KillRun(kind, new Kill(directory), library, SEED);

        run.end(KILLS / TrialKind.values().length);

        System.out.println(run);
        assertThat(run.acknowledged()).as("batches acknowledged by %s", run).isPositive();
        assertThat(run.compared()).as("what %s compared", run).isPositive();
    }
}
