package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.DirectoryInUseException;
import dev.tidemark.runtime.SteadyClock;

/**
 * A running stack. Owned by the thread that started it, except {@link #child(ChildId)}, whose answers any thread may
 * use.
 */
public final class LocalStack implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(25);
    private static final Duration SUPERVISION = Duration.ofMillis(100);
    private static final List<String> PROGRAMS = List.of("/java", "/postgres");
    private static final Duration LEFTOVER_PATIENCE = Duration.ofSeconds(10);
    /** Those that start together: the services need the others, and not each other. */
    private static final List<Set<Role>> STARTED =
            List.of(EnumSet.of(Role.BROKER, Role.POSTGRESQL), EnumSet.of(Role.WRITER, Role.WORKER));

    /**
     * Those that end together, and how long that may take. In all they stay under the ten seconds within which a stack
     * has to end.
     */
    private static final List<Ending> ENDED = List.of(
            new Ending(EnumSet.of(Role.WORKER), Duration.ofSeconds(3)),
            new Ending(EnumSet.of(Role.WRITER), Duration.ofSeconds(3)),
            new Ending(EnumSet.of(Role.BROKER, Role.POSTGRESQL), Duration.ofSeconds(2)));

    private final Installation installation;
    private final StackSettings settings;
    private final ReadinessProbe probe;
    private final Clock clock = new SteadyClock();
    private final DataDirectory directory;
    /** In the order in which they start. */
    private final Map<ChildId, ChildProcess> children = new LinkedHashMap<>();

    private @Nullable AgentRunner supervision;
    private boolean disposable;

    private record Ending(Set<Role> roles, Duration patience) {}

    private LocalStack(
            Installation installation, StackSettings settings, ReadinessProbe probe, DataDirectory directory) {
        this.installation = installation;
        this.settings = settings;
        this.probe = probe;
        this.directory = directory;
    }

    /** All of them; see {@link #start(Installation, StackSettings, Set, ReadinessProbe, Listener)}. */
    public static LocalStack start(
            Installation installation, StackSettings settings, ReadinessProbe probe, StackListener listener)
            throws StackException, InterruptedException {
        return start(installation, settings, EnumSet.allOf(Role.class), probe, listener);
    }

    /**
     * Starts all silently, for a caller that deletes the data afterwards: {@link #close} does not wait for the
     * children to store what they still hold.
     *
     * @throws StackException as {@link #start(Installation, StackSettings, Set, ReadinessProbe, StackListener)} does
     */
    public static LocalStack startDisposable(Installation installation, StackSettings settings, ReadinessProbe probe)
            throws StackException, InterruptedException {
        LocalStack stack = start(installation, settings, probe, StackListener.SILENT);
        stack.disposable = true;
        return stack;
    }

    /**
     * Starts the children of those roles and returns when all are ready.
     *
     * @throws StackException when the project is not built, the directory or a port is in use, or a child does not come
     *     up; nothing is left running then
     */
    public static LocalStack start(
            Installation installation,
            StackSettings settings,
            Set<Role> roles,
            ReadinessProbe probe,
            StackListener listener)
            throws StackException, InterruptedException {
        installation.requireBuilt();
        LocalStack stack =
                new LocalStack(installation, settings, probe, take(settings, !roles.equals(EnumSet.of(Role.BROKER))));
        try {
            stack.removeEndpoints();
            awaitEndOfLeftovers(settings.data());
            settings.ports().requireFree();
            stack.requireSameFacts();
            for (Role role : EnumSet.copyOf(roles)) {
                for (ChildId id : settings.children(role)) {
                    stack.children.put(id, new ChildProcess(stack.specOf(id)));
                }
            }
            stack.startAll(listener);
            if (roles.containsAll(EnumSet.of(Role.BROKER, Role.WRITER, Role.WORKER))) {
                stack.endpoints().write(settings.data());
            }
            Supervisor supervisor =
                    new Supervisor(List.copyOf(stack.children.values()), settings.restart(), stack.clock, listener);
            stack.supervision = AgentRunner.start(supervisor, SUPERVISION);
            return stack;
        } catch (StackException | InterruptedException | RuntimeException e) {
            stack.close();
            throw e;
        } catch (IOException e) {
            stack.close();
            throw new StackException("cannot use " + settings.data() + " as data directory: " + e);
        }
    }

    public StackSettings settings() {
        return settings;
    }

    public URI writerUrl() {
        return ChildSpecs.url(settings.ports().writer());
    }

    public URI workerUrl() {
        return ChildSpecs.url(settings.ports().worker());
    }

    public String bootstrapServers() {
        return settings.bootstrapServers();
    }

    /** Where clients reach it. */
    public Endpoints endpoints() {
        List<URI> writers =
                settings.ports().writers().stream().map(ChildSpecs::url).toList();
        List<URI> workers =
                settings.ports().workers().stream().map(ChildSpecs::url).toList();
        FactsPlace facts = settings.facts();
        return new Endpoints(bootstrapServers(), writers, workers, facts.isShared() ? facts.url() : "rocksdb");
    }

    /** All children, running or not. */
    public Collection<ChildProcess> children() {
        return List.copyOf(children.values());
    }

    /** The first child of that role, running or not. */
    public ChildProcess child(Role role) {
        return child(ChildId.first(role));
    }

    /** That child, running or not. */
    public ChildProcess child(ChildId id) {
        return Optional.ofNullable(children.get(id))
                .orElseThrow(
                        () -> new IllegalArgumentException("Expected a child, but the stack has no " + id.label()));
    }

    /**
     * Starts the first child of a role, which has ended, and waits until it is ready. For stacks that do not restart by
     * themselves.
     *
     * @throws StackException when it does not come up
     */
    public void startAgain(Role role) throws StackException, InterruptedException {
        child(role).start();
        awaitReady(role);
    }

    /**
     * Starts a child, which has ended, with system properties that hold until it is given others; does not wait for it.
     */
    public void begin(ChildId id, Map<String, String> properties) {
        if (id.role() != Role.POSTGRESQL) {
            StackSettings changed = settings.withProperties(id.role(), properties);
            child(id).respecify(new ChildSpecs(installation, changed).of(id));
        }
        child(id).start();
    }

    /**
     * Waits until the first child of a role is ready.
     *
     * @throws StackException when the child ends before, or the patience of the settings does; with its last log lines
     */
    public void awaitReady(Role role) throws StackException, InterruptedException {
        ChildProcess child = child(role);
        awaitReady(child, List.of(child));
    }

    /** Waits until a child is ready. Unless it is started again, the end of one that it needs ends that. */
    private void awaitReady(ChildProcess child, List<ChildProcess> needed) throws StackException, InterruptedException {
        boolean startedAgain = supervision != null && settings.restart();
        boolean[] ready = {false};
        BoundedWait.until(
                () -> {
                    boolean alive = needed.stream().allMatch(ChildProcess::isAlive);
                    ready[0] = alive && isReady(child.id());
                    return ready[0] || (!alive && !startedAgain);
                },
                settings.startPatience(),
                STEP);
        if (!ready[0]) {
            throw needed.stream()
                    .filter(one -> !one.isAlive())
                    .findFirst()
                    .map(dead -> dead.failure("ended with exit code " + dead.exitCode() + " while "
                            + (dead == child ? "it" : "the " + child.id().label()) + " started"))
                    .orElseGet(() -> child.failure(
                            "is not ready after " + settings.startPatience().toSeconds() + " s"));
        }
    }

    /** Whether the first child of a role serves now. */
    public boolean isReady(Role role) {
        return isReady(ChildId.first(role));
    }

    /** Whether that child serves now. A writer that waits for another one does not. */
    public boolean isReady(ChildId child) {
        return switch (child.role()) {
            case BROKER ->
                LoopbackPort.accepts(settings.broker().host(), settings.ports().broker());
            case POSTGRESQL ->
                child(child)
                        .handle()
                        .filter(process -> settings.postgresql().isReady(process.pid()))
                        .isPresent();
            case WRITER, WORKER -> probe.isReady(url(child));
        };
    }

    /** Where a service answers. */
    public URI url(ChildId service) {
        StackPorts ports = settings.ports();
        List<Integer> all = service.role() == Role.WRITER ? ports.writers() : ports.workers();
        return ChildSpecs.url(all.get(service.number() - 1));
    }

    private String address(ChildId child) {
        return switch (child.role()) {
            case BROKER -> bootstrapServers();
            case POSTGRESQL -> settings.facts().url();
            case WRITER, WORKER -> url(child).toString();
        };
    }

    private ChildSpec specOf(ChildId id) throws StackException, InterruptedException {
        if (id.role() != Role.POSTGRESQL) {
            return new ChildSpecs(installation, settings).of(id);
        }
        Path log = new ChildSpec(id, List.of(), settings.data()).logFile();
        List<String> command =
                settings.postgresql().prepare(settings.facts().port(), settings.extra(Role.POSTGRESQL), log);
        return new ChildSpec(id, command, settings.data());
    }

    /** The tables do not move from one store to the other: an empty one would be taken for all there is. */
    private void requireSameFacts() throws StackException {
        FactsPlace.Kind kind = settings.facts().kind();
        Path rocks = settings.directory(Role.WRITER).resolve("facts");
        if (kind != FactsPlace.Kind.ROCKSDB && Files.exists(rocks)) {
            throw new StackException("the fact tables of " + settings.data() + " are in RocksDB; leave --facts out,"
                    + " or choose another directory with --data DIR");
        }
        if (kind != FactsPlace.Kind.OWN_POSTGRESQL
                && Files.exists(settings.postgresql().data())) {
            throw new StackException("the fact tables of " + settings.data() + " are in its PostgreSQL; start it with"
                    + " --facts " + FactsPlace.POSTGRESQL + ", or choose another directory with --data DIR");
        }
    }

    /**
     * Ends workers, writers, and broker and PostgreSQL, in that order, within ten seconds, and kills what has not ended
     * by then. Kills all at once if the data is disposable.
     */
    @Override
    public void close() {
        removeEndpoints();
        if (supervision != null) {
            supervision.close();
        }
        if (disposable) {
            // The processes of a PostgreSQL would be left alone for a while.
            children.values().stream()
                    .filter(child -> child.id().role() != Role.POSTGRESQL)
                    .forEach(ChildProcess::kill);
        }
        for (Ending ending : ENDED) {
            List<ChildProcess> together = of(ending.roles());
            together.forEach(ChildProcess::requestEnd);
            awaitEnd(together, ending.patience());
        }
        children.values().forEach(ChildProcess::kill);
        awaitEnd(children.values(), Duration.ofSeconds(1));
        children.values().forEach(ChildProcess::forget);
        directory.close();
    }

    private void removeEndpoints() {
        try {
            Files.deleteIfExists(settings.data().resolve(Endpoints.FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitEndOfLeftovers(Path data) throws IOException, InterruptedException {
        try (DirectoryStream<Path> pidFiles = Files.newDirectoryStream(data, "*.pid")) {
            for (Path pidFile : pidFiles) {
                awaitEndOfLeftover(pidFile);
            }
        }
    }

    /**
     * Waits until the process that a pid file names has ended, if it runs the program of a child: its number may be
     * that of another program since. A child of a stack that was killed a moment ago ends by itself, and holds ports
     * and directories until then.
     */
    private static void awaitEndOfLeftover(Path pidFile) throws InterruptedException {
        try {
            Optional<ProcessHandle> leftover = ProcessHandle.of(
                            Long.parseLong(Files.readString(pidFile).strip()))
                    .filter(handle ->
                            PROGRAMS.stream().anyMatch(handle.info().command().orElse("")::endsWith));
            if (leftover.isPresent()) {
                BoundedWait.until(() -> !leftover.get().isAlive(), LEFTOVER_PATIENCE, STEP);
            }
        } catch (IOException | NumberFormatException e) {
            // Then there is none.
        }
    }

    private void awaitEnd(Collection<ChildProcess> ending, Duration patience) {
        Instant end = clock.instant().plus(patience);
        try {
            for (ChildProcess child : ending) {
                child.awaitEnd(Duration.between(clock.instant(), end));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void startAll(StackListener listener) throws StackException, InterruptedException {
        // None of them is started again before all are ready.
        List<ChildProcess> running = new ArrayList<>();
        for (Set<Role> together : STARTED) {
            Instant begun = clock.instant();
            List<ChildProcess> started = of(together);
            started.forEach(ChildProcess::start);
            running.addAll(started);
            for (ChildProcess child : started) {
                awaitReady(child, running);
                listener.up(child.id(), address(child.id()), Duration.between(begun, clock.instant()));
            }
        }
    }

    private List<ChildProcess> of(Set<Role> roles) {
        return children.values().stream()
                .filter(child -> roles.contains(child.id().role()))
                .toList();
    }

    private static DataDirectory take(StackSettings settings, boolean needsCatalog) throws StackException {
        if (needsCatalog && !Files.isReadable(settings.catalog())) {
            throw new StackException("expected a readable catalog file at " + settings.catalog());
        }
        if (settings.data().toString().contains(",")) {
            throw new StackException(
                    "expected a data directory without a comma, which parts directories in the settings"
                            + " of Kafka, but got " + settings.data() + "; choose another one with --data DIR");
        }
        try {
            return DataDirectory.take(settings.data());
        } catch (DirectoryInUseException e) {
            throw new StackException("another stack uses " + settings.data()
                    + "; end that one, or choose another directory with --data DIR");
        } catch (UncheckedIOException e) {
            IOException cause = e.getCause();
            throw new StackException("cannot use " + settings.data() + " as data directory: " + cause);
        }
    }
}
