package dev.tidemark.deploy.kills;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.deploy.drill.machine.MachineException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Cuts the power of processes that write to a store. {@code -Dpower.cuts=N} sets how many, {@code -Dpower.cuts.seed=S}
 * repeats what was written. Skipped, saying so, where no file system can be made.
 */
@Tag("slow")
class PowerCutsTest {
    private static final int CUTS = Integer.getInteger("power.cuts", 20);
    private static final long SEED = Long.getLong("power.cuts.seed", System.nanoTime());

    @TempDir(factory = InMemory.class)
    private Path directory = Path.of("");

    @ParameterizedTest
    @EnumSource
    void whatWasSyncedIsThereAndNothingIsThereByHalf(TrialKind kind) throws Exception {
        Path library = UnpackedLibrary.below(directory);
        try (Ending ending = powerCut()) {
            KillRun run = new KillRun(kind, ending, library, SEED);

            run.end(CUTS / TrialKind.values().length);

            System.out.println(run);
            assertThat(run.acknowledged()).as("batches acknowledged by %s", run).isPositive();
            assertThat(run.compared()).as("what %s compared", run).isPositive();
        }
    }

    private Ending powerCut() throws IOException, InterruptedException {
        try {
            return PowerCut.on(directory.resolve("disk"));
        } catch (MachineException e) {
            return Assumptions.abort("power cannot be cut here: " + e.getMessage());
        }
    }
}
