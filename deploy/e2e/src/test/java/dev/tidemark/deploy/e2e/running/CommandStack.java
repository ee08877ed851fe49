package dev.tidemark.deploy.e2e.running;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.Endpoints;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.ServiceProcess;

import static org.awaitility.Awaitility.await;

/** {@code tidemark stack --restart} as a user runs it, its children known by their pid files only. */
public final class CommandStack implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration STEP = Duration.ofMillis(20);

    private final Process process;
    private final Path data;
    private final StackPorts ports;
    private final HttpServices services = new HttpServices();

    private CommandStack(Process process, Path data, StackPorts ports) {
        this.process = process;
        this.data = data;
        this.ports = ports;
    }

    /** Starts it over the tables of that file, with more options, and waits for its line {@code ready}. */
    public static CommandStack start(String name, Path catalog, String... options) throws IOException, StackException {
        return start(name, catalog, Map.of(), options);
    }

    /** The same with more variables of the environment. */
    public static CommandStack start(String name, Path catalog, Map<String, String> environment, String... options)
            throws IOException, StackException {
        return in(StackUnderTest.emptyDirectory(name), catalog, environment, options);
    }

    /** Starts one that has ended once more, over the same data. */
    public CommandStack again(Path catalog, String... options) throws IOException, StackException {
        return in(data, catalog, Map.of(), options);
    }

    private static CommandStack in(Path data, Path catalog, Map<String, String> environment, String... options)
            throws IOException, StackException {
        Path output = data.resolve("stack.out");
        StackPorts ports = StackPorts.free();
        List<String> command = new ArrayList<>(
                List.of(Installation.locate().home().resolve("deploy/tidemark").toString(), "stack", "--restart"));
        command.addAll(List.of("--data", data.toString()));
        command.addAll(List.of("--catalog", catalog.toString()));
        command.addAll(List.of("--broker-port", Integer.toString(ports.broker())));
        command.addAll(List.of("--writer-port", Integer.toString(ports.writer())));
        command.addAll(List.of("--worker-port", Integer.toString(ports.worker())));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(data.resolve("stack.err").toFile());
        builder.environment().putAll(environment);
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        builder.environment().put(ServiceProcess.END_WITH_PARENT, "stdin");
        CommandStack stack = new CommandStack(builder.start(), data, ports);
        try {
            await().atMost(PATIENCE).pollInterval(STEP).until(() -> stack.isReady(output));
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
        return stack;
    }

    public Facts facts() {
        return new Facts(writerUrl());
    }

    public Indexes indexes() {
        return new Indexes(workerUrl());
    }

    /** Where it keeps everything. */
    public Path data() {
        return data;
    }

    /** What it tells programs. */
    public Endpoints endpoints() throws IOException {
        try {
            return RowJson.as(Endpoints.class, RowJson.parse(Files.readAllBytes(data.resolve(Endpoints.FILE))));
        } catch (BadJsonException e) {
            throw new IOException(e);
        }
    }

    /** A command that is written for the usual ports, sent to this stack. */
    public String addressed(String command) {
        String own = command.replace("http://127.0.0.1:8081", writerUrl().toString())
                .replace("http://127.0.0.1:8082", workerUrl().toString());
        return own.startsWith("deploy/tidemark ") ? own + " --writer " + writerUrl() + " --worker " + workerUrl() : own;
    }

    /** The number of a child's process. */
    public long pid(ChildId child) {
        return alive(pidFile(child)).orElseThrow().pid();
    }

    /** SIGKILL to whoever the pid file names, once that lives; the number of the killed process. */
    public long kill(ChildId child) {
        ProcessHandle victim = await().atMost(PATIENCE)
                .pollInterval(STEP)
                .until(() -> alive(pidFile(child)), Optional::isPresent)
                .orElseThrow();
        victim.destroyForcibly();
        await().atMost(PATIENCE).pollInterval(STEP).until(() -> !victim.isAlive());
        RunTotals.killed(1);
        return victim.pid();
    }

    /** Waits until the child is another process than the killed one and, if a service, ready where it was. */
    public void awaitRestart(ChildId child, long killed) throws IOException {
        await().atMost(PATIENCE)
                .pollInterval(STEP)
                .until(() -> alive(pidFile(child))
                        .filter(process -> process.pid() != killed)
                        .isPresent());
        if (child.role() != Role.BROKER) {
            URI url = child.role() == Role.WRITER
                    ? writerUrl()
                    : endpoints().workers().get(child.number() - 1);
            await().atMost(PATIENCE).pollInterval(STEP).until(() -> services.isReady(url));
        }
    }

    /** SIGTERM to the stack; its exit code. */
    public int terminate() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(15, TimeUnit.SECONDS)) {
            throw new AssertionError("expected the stack to end within 15 s of SIGTERM");
        }
        return process.exitValue();
    }

    /** SIGKILL to the stack alone. */
    public void killAlone() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** The children that still run. */
    public List<Long> running() throws IOException {
        List<Long> running = new ArrayList<>();
        try (DirectoryStream<Path> pidFiles = Files.newDirectoryStream(data, "*.pid")) {
            pidFiles.forEach(file -> alive(file).ifPresent(child -> running.add(child.pid())));
        }
        return running;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(15, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private URI writerUrl() {
        return URI.create("http://127.0.0.1:" + ports.writer());
    }

    private URI workerUrl() {
        return URI.create("http://127.0.0.1:" + ports.worker());
    }

    private boolean isReady(Path output) throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "The stack ended while it started: " + Files.readString(data.resolve("stack.err")));
        }
        return Files.readAllLines(output).contains("ready");
    }

    private Path pidFile(ChildId child) {
        return data.resolve(child.label() + ".pid");
    }

    private static Optional<ProcessHandle> alive(Path pidFile) {
        try {
            return ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip()))
                    .filter(ProcessHandle::isAlive);
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
