package dev.tidemark.deploy.bench.cli;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.verify.TableVerifier;

/** For command lines that run no benchmark. */
final class NoBuilders implements Builders {
    @Override
    public IndexBuilder tidemark(URI writer, URI worker, Clock clock) {
        throw new AssertionError("nobody should ask");
    }

    @Override
    public TableVerifier verifier(URI writer, URI worker, Clock clock) {
        throw new AssertionError("nobody should ask");
    }

    @Override
    public Optional<IndexBuilder> postgres(Path parent, Clock clock) {
        throw new AssertionError("nobody should ask");
    }
}
