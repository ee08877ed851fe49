package dev.tidemark.deploy.kills;

import java.nio.file.Path;

/** The stores that are tried. */
enum TrialKind {
    /** A shard of the worker, whose batches survive the process. */
    SHARD {
        @Override
        Trial open(Path directory, Script script) {
            return new ShardTrial(directory, script);
        }
    },
    /** The fact tables of the writer, whose batches are synced. */
    FACTS {
        @Override
        Trial open(Path directory, Script script) {
            return new FactTrial(directory, script);
        }
    };

    /** Opens what the directory has, making it where there is nothing. */
    abstract Trial open(Path directory, Script script);
}
