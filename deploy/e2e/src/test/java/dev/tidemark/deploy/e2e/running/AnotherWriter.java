package dev.tidemark.deploy.e2e.running;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.ChildSpec;
import dev.tidemark.deploy.stack.Role;

import static org.awaitility.Awaitility.await;

/** A writer process beside that of a stack: on the same topics, with data and port of its own. */
public final class AnotherWriter implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration END_PATIENCE = Duration.ofSeconds(15);

    private final ChildProcess process;
    private final Facts facts;
    private final Path data;

    private AnotherWriter(ChildProcess process, Facts facts, Path data) {
        this.process = process;
        this.facts = facts;
        this.data = data;
    }

    /**
     * Starts one like the stack's; returns when it answers, whether it takes writes or not.
     *
     * @param directory of its log; what it works on is in {@code data} below it
     * @param port where it answers
     */
    public static AnotherWriter start(StackUnderTest stack, Path directory, int port) {
        Path data = directory.resolve("data");
        List<String> command = stack.child(Role.WRITER).spec().command().stream()
                .map(word -> word.startsWith("http.port=") ? "http.port=" + port : word)
                .map(word -> word.startsWith("data.dir=") ? "data.dir=" + data : word)
                .toList();
        AnotherWriter writer = new AnotherWriter(
                new ChildProcess(new ChildSpec(ChildId.first(Role.WRITER), command, directory)),
                new Facts(URI.create("http://127.0.0.1:" + port)),
                data);
        writer.process.start();
        try {
            awaitAnswers(writer.facts);
            return writer;
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    /** Waits until a writer answers, whether it takes writes or not. */
    public static void awaitAnswers(Facts writer) {
        await().atMost(PATIENCE)
                .pollInterval(STEP)
                .ignoreException(ConnectException.class)
                .until(() -> writer.http().get("/health/live").ok());
    }

    public Facts facts() {
        return facts;
    }

    public ChildProcess process() {
        return process;
    }

    /** Where it keeps its data. */
    public Path data() {
        return data;
    }

    /** What it has logged so far. */
    public String log() throws IOException {
        return Files.readString(process.spec().logFile());
    }

    /** SIGTERM, and waits until the process is gone. */
    @Override
    public void close() {
        process.requestEnd();
        try {
            if (!process.awaitEnd(END_PATIENCE)) {
                process.kill();
                process.awaitEnd(END_PATIENCE);
            }
        } catch (InterruptedException e) {
            process.kill();
            Thread.currentThread().interrupt();
        }
    }
}
