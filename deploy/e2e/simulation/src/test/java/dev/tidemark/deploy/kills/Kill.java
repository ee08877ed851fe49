package dev.tidemark.deploy.kills;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A kill: what was written to a file is there, synced or not. */
record Kill(Path directory) implements Ending {

    @Override
    public List<String> end(ProcessUnderTest process, Duration after) throws IOException, InterruptedException {
        return process.killAfter(after);
    }

    @Override
    public long outlives(TrialKind kind, long acknowledged) {
        return acknowledged;
    }

    @Override
    public String toString() {
        return "store kills";
    }
}
