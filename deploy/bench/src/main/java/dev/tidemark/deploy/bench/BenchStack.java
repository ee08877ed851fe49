package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.target.ServiceCaller;

/**
 * A separate stack in a temporary directory, which {@link #close} deletes. Owned by one thread.
 *
 * @param services the running processes
 * @param others end what was started beside the stack
 */
public record BenchStack(
        Bench bench, Installation installation, ScratchDirectory scratch, LocalStack services, Deque<Runnable> others)
        implements AutoCloseable {
    private static final Path CATALOG = Path.of("deploy", "bench", "scripts", "catalog.yaml");

    /** Starts a stack with the catalog of the benchmarks and the usual settings. */
    static BenchStack start(Bench bench) throws Exception {
        return start(bench, "", UnaryOperator.identity());
    }

    /**
     * Starts a stack.
     *
     * @param catalog the text of its catalog; empty for that of the benchmarks
     * @param more changes its settings
     */
    static BenchStack start(Bench bench, String catalog, UnaryOperator<StackSettings> more) throws Exception {
        Installation installation = Installation.locate().requireBuilt();
        ScratchDirectory scratch = ScratchDirectory.below(bench.parent());
        try {
            Path directory = scratch.path();
            // PostgreSQL may run under another account, which has to reach its own directory in here.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            Path file = catalog.isEmpty()
                    ? installation.home().resolve(CATALOG)
                    : Files.writeString(directory.resolve("catalog.yaml"), catalog);
            StackSettings settings = more.apply(StackSettings.of(directory, file, StackPorts.free()));
            LocalStack services = LocalStack.startDisposable(installation, settings, bench.probe());
            return new BenchStack(bench, installation, scratch, services, new ArrayDeque<>());
        } catch (Exception e) {
            scratch.close();
            throw e;
        }
    }

    /** The settings with a broker that keeps every record: compaction shortens a topic from one round to the next. */
    static StackSettings keepingRecords(StackSettings settings) {
        return settings.with(Role.BROKER, "log.cleaner.enable", "false");
    }

    /** Has something done when the processes end, before what was asked for earlier. */
    public void atEnd(Runnable end) {
        others.push(end);
    }

    /** The temporary directory. */
    public Path directory() {
        return scratch.path();
    }

    /** The file of the catalog. */
    public Path catalog() {
        return services.settings().catalog();
    }

    public Clock clock() {
        return bench.clock();
    }

    /** Writer and worker, as a client sees them. */
    public TidemarkTarget tidemark() {
        return tidemark("customers");
    }

    /** The same with another table. */
    TidemarkTarget tidemark(String table) {
        return new TidemarkTarget(this, table);
    }

    /** Calls of the writer. */
    ServiceCaller writer(Duration patience) {
        return bench.systems().callers().at(services.writerUrl(), patience);
    }

    /** Calls of the worker. */
    ServiceCaller worker(Duration patience) {
        return bench.systems().callers().at(services.workerUrl(), patience);
    }

    /** Closes it; files that cannot be deleted stay. */
    void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            bench.progress().accept("could not delete " + directory() + ": " + e.getMessage());
        }
    }

    /** Ends all processes, and what was started beside them. */
    void endProcesses() {
        try {
            while (!others.isEmpty()) {
                others.pop().run();
            }
        } finally {
            services.close();
        }
    }

    @Override
    public void close() throws IOException {
        try (scratch) {
            endProcesses();
        }
    }
}
