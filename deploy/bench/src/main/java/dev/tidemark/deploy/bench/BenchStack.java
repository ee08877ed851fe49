package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.target.ServiceCaller;

/**
 * A separate stack in a temporary directory, which {@link #close} deletes. Owned by one thread.
 *
 * @param services the running processes
 */
public record BenchStack(Bench bench, Installation installation, ScratchDirectory scratch, LocalStack services)
        implements AutoCloseable {
    /** Settings of a broker that keeps every record: compaction shortens a topic from one round to the next. */
    public static final Map<String, String> FULL_TOPICS = Map.of("log.cleaner.enable", "false");

    /** The same for a stack. */
    static final Map<Role, Map<String, String>> OF_FULL_TOPICS = Map.of(Role.BROKER, FULL_TOPICS);

    private static final Path CATALOG = Path.of("deploy", "bench", "scripts", "catalog.yaml");

    /** Starts a stack with the catalog of the benchmarks and the usual settings. */
    public static BenchStack start(Bench bench) throws Exception {
        return start(bench, "", Map.of());
    }

    /**
     * Starts a stack.
     *
     * @param catalog the text of its catalog; empty for that of the benchmarks
     * @param settings of each child, in place of what it would have
     */
    public static BenchStack start(Bench bench, String catalog, Map<Role, Map<String, String>> settings)
            throws Exception {
        return start(bench, catalog, settings, all -> all);
    }

    /**
     * Starts a stack with the catalog of the benchmarks.
     *
     * @param more changes its settings
     */
    static BenchStack start(Bench bench, UnaryOperator<StackSettings> more, Map<Role, Map<String, String>> settings)
            throws Exception {
        return start(bench, "", settings, more);
    }

    private static BenchStack start(
            Bench bench, String catalog, Map<Role, Map<String, String>> settings, UnaryOperator<StackSettings> more)
            throws Exception {
        Installation installation = Installation.locate().requireBuilt();
        ScratchDirectory scratch = ScratchDirectory.below(bench.parent());
        try {
            LocalStack services = services(installation, scratch.path(), catalog, settings, more, bench.probe());
            return new BenchStack(bench, installation, scratch, services);
        } catch (Exception e) {
            scratch.close();
            throw e;
        }
    }

    private static LocalStack services(
            Installation installation,
            Path directory,
            String catalog,
            Map<Role, Map<String, String>> settings,
            UnaryOperator<StackSettings> more,
            ReadinessProbe probe)
            throws Exception {
        // PostgreSQL may run under another account, which has to reach its own directory in here.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        Path file = catalog.isEmpty()
                ? installation.home().resolve(CATALOG)
                : Files.writeString(directory.resolve("catalog.yaml"), catalog);
        StackSettings all = StackSettings.of(directory, file, StackPorts.free());
        for (Map.Entry<Role, Map<String, String>> ofRole : settings.entrySet()) {
            for (Map.Entry<String, String> setting : ofRole.getValue().entrySet()) {
                all = all.with(ofRole.getKey(), setting.getKey(), setting.getValue());
            }
        }
        return LocalStack.startDisposable(installation, more.apply(all), probe);
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
        return bench.systems().tidemark(services.writerUrl(), services.workerUrl(), bench.clock(), table);
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

    @Override
    public void close() throws IOException {
        try (scratch) {
            services.close();
        }
    }
}
