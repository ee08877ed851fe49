package dev.tidemark.deploy.e2e.running;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.ServiceProcess;

import static org.awaitility.Awaitility.await;

/** A worker process beside those of a stack, in the same consumer group, with data and port of its own. */
public final class AnotherWorker implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration STEP = Duration.ofMillis(50);

    private final Process process;
    private final URI url;

    private AnotherWorker(Process process, URI url) {
        this.process = process;
        this.url = url;
    }

    /**
     * Starts one like the stack's; returns when it is ready.
     *
     * @param name of its directory and log
     * @param port where it answers
     * @param flags for its virtual machine
     * @param settings each {@code key=value}
     */
    public static AnotherWorker start(
            StackUnderTest stack, String name, int port, List<String> flags, List<String> settings) throws IOException {
        Path data = stack.stack().settings().data().resolve(name);
        Files.createDirectories(data);
        List<String> command = new ArrayList<>(stack.child(Role.WORKER).spec().command());
        command.addAll(1, flags);
        URI url = URI.create("http://127.0.0.1:" + port);
        List<String> own = new ArrayList<>(
                List.of("http.port=" + port, "advertised.url=" + url, "data.dir=" + data.resolve("data")));
        own.addAll(settings);
        own.forEach(setting -> command.addAll(List.of("--set", setting)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("worker.log").toFile());
        builder.environment().put(ServiceProcess.END_WITH_PARENT, "stdin");
        AnotherWorker worker = new AnotherWorker(builder.start(), url);
        try {
            HttpServices services = new HttpServices();
            await().atMost(PATIENCE).pollInterval(STEP).until(() -> services.isReady(worker.url));
            return worker;
        } catch (RuntimeException e) {
            worker.close();
            throw e;
        }
    }

    public URI url() {
        return url;
    }

    public Indexes indexes() {
        return new Indexes(url);
    }

    /** SIGTERM, and waits until the process is gone. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(15, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
