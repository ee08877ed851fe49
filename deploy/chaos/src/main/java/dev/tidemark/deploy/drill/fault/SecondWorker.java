package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.ChildSpec;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;

/** A worker beside the stack's, in the same group, with separate data and port, that is started and killed. */
public final class SecondWorker implements AutoCloseable {
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    /** What a worker prints of each shard that it was given and has opened. */
    private static final String OPENED = " is open at offset ";

    private final ChildProcess process;
    private final FreshLog log;
    private Instant until = Instant.MAX;

    private SecondWorker(ChildProcess process) {
        this.process = process;
        this.log = new FreshLog(process);
    }

    /** One that does not run yet, in a directory of that name. */
    public static SecondWorker beside(LocalStack stack, String name, int port) throws IOException {
        Path directory = stack.settings().data().resolve(name);
        Files.createDirectories(directory);
        List<String> command = new ArrayList<>(stack.child(Role.WORKER).spec().command());
        command.addAll(List.of("--set", "http.port=" + port, "--set", "data.dir=" + directory.resolve("data")));
        command.addAll(List.of("--set", "group.instance.id=none"));
        return new SecondWorker(new ChildProcess(new ChildSpec(Role.WORKER, command, directory)));
    }

    /** Comes, and stays until that time. */
    void come(Instant leaving) {
        until = leaving;
        process.start();
    }

    /** Leaves then, unless it is to leave before. */
    void leaveAt(Instant leaving) {
        until = leaving.isBefore(until) ? leaving : until;
    }

    /** Does not leave before. */
    void stayUntil(Instant least) {
        until = least.isAfter(until) ? least : until;
    }

    /** Kills it when its time is over; true when that was just done. */
    boolean tick(Instant now) throws InterruptedException {
        if (!process.isAlive() || now.isBefore(until)) {
            return false;
        }
        close();
        return true;
    }

    /** SIGKILL. */
    @Override
    public void close() {
        process.kill();
        try {
            process.awaitEnd(END_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.forget();
    }

    /** How many shards it was given and has opened since this was last asked. */
    int opened() {
        return (log.read() + "|").split(OPENED, -1).length - 1;
    }

    /** Whether it runs. */
    boolean isHere() {
        return process.isAlive();
    }
}
