package dev.tidemark.deploy.e2e.running;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.e2e.guarantee.IndexesEqualFacts;
import dev.tidemark.deploy.e2e.guarantee.LagReachesZero;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackListener;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.CatalogFile;

/**
 * Broker, writer and worker, each a process, over the tables of the suites' catalog, in a directory below
 * {@code target} that is emptied before. A child that ends stays ended until a test starts it again.
 */
public final class StackUnderTest implements AutoCloseable {
    /** At the usual interval idle stacks, of which several run at a time, take much of a processor. */
    private static final String HEARTBEATS = "500ms";

    private final LocalStack stack;
    private final Catalog catalog;
    private final Facts facts;
    private final Indexes indexes;
    private final Clock clock = new SteadyClock();

    private StackUnderTest(LocalStack stack, Catalog catalog) {
        this.stack = stack;
        this.catalog = catalog;
        this.facts = new Facts(stack.writerUrl());
        this.indexes = new Indexes(stack.workerUrl());
    }

    /** Starts one in the directory of that name; returns when all three are ready. */
    public static StackUnderTest start(String name, UnaryOperator<StackSettings> settings)
            throws StackException, InterruptedException {
        return start(name, EnumSet.allOf(Role.class), settings);
    }

    /** Starts only those, the rest being somewhere else. */
    public static StackUnderTest start(String name, Set<Role> roles, UnaryOperator<StackSettings> settings)
            throws StackException, InterruptedException {
        StackSettings usual = StackSettings.of(emptyDirectory(name), catalogFile(), StackPorts.free())
                .with(Role.WRITER, "heartbeat.interval", HEARTBEATS);
        StackSettings wanted = settings.apply(usual);
        LocalStack stack =
                LocalStack.start(Installation.locate(), wanted, roles, new HttpServices(), StackListener.SILENT);
        return new StackUnderTest(stack, readCatalog(wanted.catalog()));
    }

    /** The tables of the suites. */
    public static Path catalogFile() {
        return resource("/e2e/catalog.yaml");
    }

    /** A file of the test resources. */
    public static Path resource(String name) {
        URL found = Objects.requireNonNull(StackUnderTest.class.getResource(name));
        try {
            return Path.of(found.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a catalog file says. */
    public static Catalog readCatalog(Path file) {
        try {
            return CatalogFile.read(file);
        } catch (CatalogException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A directory of that name below {@code target}, with nothing in it. */
    public static Path emptyDirectory(String name) {
        try {
            Path directory = Installation.locate()
                    .home()
                    .resolve("deploy/e2e/target/stacks")
                    .resolve(name);
            deleteTree(directory);
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (StackException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Deletes a directory with all that is in it; does nothing where it is absent. */
    public static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.delete(path);
            }
        }
    }

    public LocalStack stack() {
        return stack;
    }

    public Facts facts() {
        return facts;
    }

    public Indexes indexes() {
        return indexes;
    }

    public Clock clock() {
        return clock;
    }

    /** The table of that name as it was defined at the start. */
    public TableDefinition table(String name) {
        return catalog.table(name).orElseThrow();
    }

    public ChildProcess child(Role role) {
        return stack.child(role);
    }

    /** Where a child keeps its data. */
    public Path dataOf(Role role) {
        return stack.settings().data().resolve(role.label());
    }

    /** SIGKILL, and waits until the process is gone. */
    public void kill(Role role) throws InterruptedException {
        child(role).kill();
        requireEnd(role, Duration.ofSeconds(10));
        RunTotals.killed(1);
    }

    /** SIGTERM, and waits for at most ten seconds; the exit code. */
    public int terminate(Role role) throws InterruptedException {
        child(role).requestEnd();
        requireEnd(role, Duration.ofSeconds(10));
        return child(role).exitCode();
    }

    /** Lets a suspended writer go on. It takes no writes before it has looked whether another one has taken over. */
    public void resumeWriter() throws InterruptedException {
        child(Role.WRITER).resume();
        ReadinessProbe probe = new HttpServices();
        if (!BoundedWait.until(() -> probe.isReady(stack.writerUrl()), Duration.ofSeconds(20), Duration.ofMillis(50))) {
            throw new AssertionError("expected the writer to be ready within 20 s after it was resumed");
        }
    }

    public void startAgain(Role role) throws StackException, InterruptedException {
        stack.startAgain(role);
    }

    /** Starts a child that has ended, with a clock that is wrong by so much until it is started again with another. */
    public void startAgain(Role role, Duration clockOffset) throws StackException, InterruptedException {
        stack.begin(ChildId.first(role), Map.of(SteadyClock.OFFSET, clockOffset.toString()));
        stack.awaitReady(role);
    }

    /** Lag gets to zero, and then every index of the table equals its rows, which are the answer. */
    public List<Fact> settle(String table) throws IOException, InterruptedException {
        return settle(table(table));
    }

    /** The same of a table whose definition was changed since the start. */
    public List<Fact> settle(TableDefinition definition) throws IOException, InterruptedException {
        new LagReachesZero(indexes, clock).check(definition);
        return new IndexesEqualFacts(facts, indexes).check(definition);
    }

    /** Kills all of Tidemark: nobody reads their data any more, and ending them in order takes seconds. */
    @Override
    public void close() {
        stack.children().stream()
                .filter(child -> child.id().role() != Role.POSTGRESQL)
                .forEach(ChildProcess::kill);
        stack.close();
    }

    private void requireEnd(Role role, Duration patience) throws InterruptedException {
        if (!child(role).awaitEnd(patience)) {
            throw new AssertionError("expected the " + role.label() + " to end within " + patience.toSeconds() + " s");
        }
    }
}
