package dev.tidemark.deploy.bench.build;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.verify.TableVerifier;

/** Makes those who build. */
public interface Builders {
    /** Writer and worker at those addresses. */
    IndexBuilder tidemark(URI writer, URI worker, Clock clock);

    /** The comparisons of such a worker. */
    TableVerifier verifier(URI writer, URI worker, Clock clock);

    /** PostgreSQL with a database below that directory; empty where it is not installed. */
    Optional<IndexBuilder> postgres(Path parent, Clock clock) throws BenchException, IOException, InterruptedException;
}
