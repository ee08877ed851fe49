package dev.tidemark.deploy.bench.wrk;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;

/** Queries of wrk for the first 20 entries of a town, over 16 connections. */
public final class WrkQueries {
    private static final Path SCRIPT = Path.of("deploy", "bench", "scripts", "query.lua");
    private static final int CONNECTIONS = 16;

    private final WrkTool wrk;
    private final Path home;
    private int rounds;

    private WrkQueries(WrkTool wrk, Path home) {
        this.wrk = wrk;
        this.home = home;
    }

    /**
     * Queries; empty where wrk is not installed.
     *
     * @param searchPath where to look for it, like the value of {@code PATH}
     * @param home of the installation
     */
    public static Optional<WrkQueries> on(String searchPath, Path home) {
        return WrkTool.on(searchPath).map(wrk -> new WrkQueries(wrk, home));
    }

    /** Queries a worker for a time, for other towns each time. */
    public WrkOutput ask(URI worker, Duration time) throws BenchException, IOException, InterruptedException {
        rounds++;
        return wrk.run(home.resolve(SCRIPT), worker, CONNECTIONS, time, List.of("0", Integer.toString(rounds)));
    }
}
