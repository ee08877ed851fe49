package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
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
 * A running stack. Owned by the thread that started it, except {@link #child(Role)}, whose answers any thread may use.
 */
public final class LocalStack implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(25);
    private static final Duration SUPERVISION = Duration.ofMillis(100);
    private static final Duration LEFTOVER_PATIENCE = Duration.ofSeconds(10);
    // All of them together stay under the ten seconds within which a stack has to end.
    private static final Map<Role, Duration> END_PATIENCE = Map.of(
            Role.WORKER, Duration.ofSeconds(3),
            Role.WRITER, Duration.ofSeconds(3),
            Role.BROKER, Duration.ofSeconds(2));

    private final Installation installation;
    private final StackSettings settings;
    private final ReadinessProbe probe;
    private final Clock clock = new SteadyClock();
    private final DataDirectory directory;
    private final Map<Role, ChildProcess> children = new EnumMap<>(Role.class);
    private @Nullable AgentRunner supervision;
    private boolean disposable;

    private LocalStack(
            Installation installation, StackSettings settings, ReadinessProbe probe, DataDirectory directory) {
        this.installation = installation;
        this.settings = settings;
        this.probe = probe;
        this.directory = directory;
    }

    /** All three; see {@link #start(Installation, StackSettings, Set, ReadinessProbe, Listener)}. */
    public static LocalStack start(
            Installation installation, StackSettings settings, ReadinessProbe probe, StackListener listener)
            throws StackException, InterruptedException {
        return start(installation, settings, EnumSet.allOf(Role.class), probe, listener);
    }

    /**
     * Starts all three silently, for a caller that deletes the data afterwards: {@link #close} does not wait for the
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
     * Starts those children and returns when all are ready.
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
            for (Role role : Role.values()) {
                awaitEndOfLeftover(settings.data().resolve(role.label() + ".pid"));
            }
            settings.ports().requireFree();
            ChildSpecs specs = new ChildSpecs(installation, settings);
            for (Role role : EnumSet.copyOf(roles)) {
                stack.children.put(role, new ChildProcess(specs.of(role)));
            }
            stack.startAll(listener);
            Supervisor supervisor =
                    new Supervisor(List.copyOf(stack.children.values()), settings.restart(), stack.clock, listener);
            stack.supervision = AgentRunner.start(supervisor, SUPERVISION);
            return stack;
        } catch (StackException | InterruptedException | RuntimeException e) {
            stack.close();
            throw e;
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

    /** The child of that role, running or not. */
    public ChildProcess child(Role role) {
        return Optional.ofNullable(children.get(role))
                .orElseThrow(() -> new IllegalArgumentException("Expected a child, but the stack has no " + role));
    }

    /**
     * Starts a child that has ended, and waits until it is ready. For stacks that do not restart by themselves.
     *
     * @throws StackException when it does not come up
     */
    public void startAgain(Role role) throws StackException, InterruptedException {
        child(role).start();
        awaitReady(role);
    }

    /**
     * Starts a child again with a clock offset, which holds until the child is given another specification; for tests.
     *
     * @throws StackException when it does not come up
     */
    public void startAgain(Role role, Duration clockOffset) throws StackException, InterruptedException {
        child(role).respecify(new ChildSpecs(installation, settings.withClockOffset(role, clockOffset)).of(role));
        startAgain(role);
    }

    /**
     * Starts a child that has ended, with system properties that hold until it is given others; does not wait for it.
     */
    public void begin(Role role, Map<String, String> properties) {
        child(role).respecify(new ChildSpecs(installation, settings.withProperties(role, properties)).of(role));
        child(role).start();
    }

    /**
     * Waits until a child is ready.
     *
     * @throws StackException when the child ends before, or the patience of the settings does; with its last log lines
     */
    public void awaitReady(Role role) throws StackException, InterruptedException {
        ChildProcess child = child(role);
        boolean[] ready = {false};
        BoundedWait.until(
                () -> {
                    boolean alive = child.isAlive();
                    ready[0] = alive && isReady(role);
                    return ready[0] || (!alive && !settings.restart());
                },
                settings.startPatience(),
                STEP);
        if (!ready[0]) {
            String what = child.isAlive()
                    ? "is not ready after " + settings.startPatience().toSeconds() + " s"
                    : "ended with exit code " + child.exitCode() + " while it started";
            String lines = LogTail.lastLines(child.spec().logFile(), 8);
            throw new StackException("the " + role.label() + " " + what + "; its log, "
                    + child.spec().logFile() + ", " + (lines.isEmpty() ? "is empty" : "ends with\n" + lines));
        }
    }

    /** Whether the child serves now. */
    public boolean isReady(Role role) {
        return switch (role) {
            case BROKER ->
                LoopbackPort.accepts(settings.broker().host(), settings.ports().broker());
            case WRITER -> probe.isReady(writerUrl());
            case WORKER -> probe.isReady(workerUrl());
        };
    }

    /**
     * Ends worker, writer and broker, in that order, within ten seconds, and kills what has not ended by then. Kills
     * all at once if the data is disposable.
     */
    @Override
    public void close() {
        if (supervision != null) {
            supervision.close();
        }
        if (disposable) {
            children.values().forEach(ChildProcess::kill);
        }
        List<Role> lastFirst = new ArrayList<>(children.keySet());
        Collections.reverse(lastFirst);
        for (Role role : lastFirst) {
            end(child(role), END_PATIENCE.getOrDefault(role, Duration.ZERO));
        }
        for (Role role : lastFirst) {
            child(role).kill();
            end(child(role), Duration.ofSeconds(1));
            child(role).forget();
        }
        directory.close();
    }

    /**
     * Waits until the process that a pid file names has ended, if that runs java: the number may have been given to
     * another program since. A child of a stack that was killed a moment ago ends by itself, and holds ports and
     * directories until then.
     */
    private static void awaitEndOfLeftover(Path pidFile) throws InterruptedException {
        try {
            Optional<ProcessHandle> leftover = ProcessHandle.of(
                            Long.parseLong(Files.readString(pidFile).strip()))
                    .filter(handle -> handle.info().command().orElse("").endsWith("java"));
            if (leftover.isPresent()) {
                BoundedWait.until(() -> !leftover.get().isAlive(), LEFTOVER_PATIENCE, STEP);
            }
        } catch (IOException | NumberFormatException e) {
            // Then there is none.
        }
    }

    private static void end(ChildProcess child, Duration patience) {
        child.requestEnd();
        try {
            child.awaitEnd(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void startAll(StackListener listener) throws StackException, InterruptedException {
        // The services need the broker, and not each other.
        for (Set<Role> together : List.of(EnumSet.of(Role.BROKER), EnumSet.of(Role.WRITER, Role.WORKER))) {
            Instant begun = clock.instant();
            List<Role> roles = together.stream().filter(children::containsKey).toList();
            roles.forEach(role -> child(role).start());
            for (Role role : roles) {
                finish(role, begun, listener);
            }
        }
    }

    private void finish(Role role, Instant begun, StackListener listener) throws StackException, InterruptedException {
        awaitReady(role);
        String address = switch (role) {
            case BROKER -> bootstrapServers();
            case WRITER -> writerUrl().toString();
            case WORKER -> workerUrl().toString();
        };
        listener.up(role, address, Duration.between(begun, clock.instant()));
    }

    private static DataDirectory take(StackSettings settings, boolean needsCatalog) throws StackException {
        if (needsCatalog && !Files.isReadable(settings.catalog())) {
            throw new StackException("expected a readable catalog file at " + settings.catalog());
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
