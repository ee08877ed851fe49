package dev.tidemark.deploy.faststart;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StartImage;
import dev.tidemark.runtime.ServiceProcess;

/**
 * A short life of a stack on the sample tables, in which every process lists the classes that it loads, or records what
 * it does.
 */
final class Training {
    private static final long PATIENCE_SECONDS = 120;
    private static final String LISTS = "lists";
    private static final String READY = "ready";
    private static final String COMMAND_LINE = "dev.tidemark.deploy.cli.TidemarkMain";

    /** A cache holds what a process did often, so it has to do it often. */
    private static final int LOADS_RECORDED = 2_000;

    private final Installation installation;
    private final Path scratch;
    private final Map<StartImage, List<Long>> processes = new EnumMap<>(StartImage.class);
    private final StackPorts ports = StackPorts.free();

    /** @param scratch an empty directory */
    Training(Installation installation, Path scratch) {
        this.installation = installation;
        this.scratch = scratch;
    }

    /**
     * Returns what was written about each kind of process.
     *
     * @throws IOException when the stack does not come up, with what it said
     */
    Map<StartImage, List<Path>> run() throws IOException, InterruptedException {
        Path lists = Files.createDirectories(scratch.resolve(LISTS));
        Process stack = start(
                "stack",
                "--data=" + scratch.resolve("data"),
                "--catalog=" + installation.samples().resolve("catalog.yaml"),
                "--broker-port=" + ports.broker(),
                "--writer-port=" + ports.writer(),
                "--worker-port=" + ports.worker());
        // The stack itself waits for longer, and what is read of it ends with it.
        CompletableFuture<Process> unused = stack.onExit()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .whenComplete((ended, late) -> stack.destroy());
        try {
            awaitReady(stack);
            for (Role role : List.of(Role.BROKER, Role.WRITER, Role.WORKER)) {
                Path pid = scratch.resolve("data").resolve(role.label() + ".pid");
                note(StartImage.of(role), Long.parseLong(Files.readString(pid).strip()));
            }
            visit();
        } finally {
            end(stack);
        }
        note(StartImage.COMMAND, stack.pid());
        Map<StartImage, List<Path>> written = new EnumMap<>(StartImage.class);
        processes.forEach((image, pids) -> written.put(
                image, pids.stream().map(pid -> lists.resolve("pid" + pid)).toList()));
        return written;
    }

    private void note(StartImage image, long pid) {
        processes.computeIfAbsent(image, none -> new ArrayList<>()).add(pid);
    }

    private void visit() throws IOException, InterruptedException {
        String writer = "--writer=http://127.0.0.1:" + ports.writer();
        String worker = "--worker=http://127.0.0.1:" + ports.worker();
        long load = visit("load", "customers", rows().toString(), writer);
        // The first one of its kind, because a cache is of one process alone.
        note(StartImage.COMMAND, visit("query", "by_town", "town=Redmond", worker));
        note(StartImage.COMMAND, visit("lag", worker));
        note(StartImage.COMMAND, load);
    }

    private long visit(String... arguments) throws IOException, InterruptedException {
        Process command = start(arguments);
        await(command);
        return command.pid();
    }

    private Path rows() throws IOException {
        Path sample = installation.samples().resolve("customers.ndjson");
        if (!StartImage.AHEAD_OF_TIME) {
            return sample;
        }
        return Files.writeString(
                scratch.resolve("rows.ndjson"), Files.readString(sample).repeat(LOADS_RECORDED));
    }

    /** In the scratch directory, whose own path no flag of the children has: they are parted at blanks. */
    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                installation.java().toString(),
                "-D" + Installation.HOME_PROPERTY + "=" + installation.home(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        List<String> recording = recording();
        command.addAll(recording);
        command.addAll(List.of("-cp", installation.serviceJar().toString(), COMMAND_LINE));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(scratch.toFile()).redirectErrorStream(true);
        builder.environment().put("TIDEMARK_JAVA_OPTS", String.join(" ", recording));
        // The pipe stays open while this process lives, also when it is killed.
        builder.environment().put(ServiceProcess.END_WITH_PARENT, "stdin");
        return builder.start();
    }

    private static List<String> recording() {
        String file = LISTS + "/%p";
        return StartImage.AHEAD_OF_TIME
                ? List.of("-Xlog:aot=error", "-XX:AOTMode=record", "-XX:AOTConfiguration=" + file)
                : List.of("-XX:TieredStopAtLevel=1", "-XX:DumpLoadedClassList=" + file);
    }

    private static void awaitReady(Process stack) throws IOException {
        List<String> said = new ArrayList<>();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(stack.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); !READY.equals(line); line = lines.readLine()) {
            if (line == null) {
                throw new IOException("no stack came up to learn from: " + String.join("; ", said));
            }
            said.add(line);
        }
    }

    /** Gently: a virtual machine writes the end of its list when it exits. */
    private static void end(Process process) throws InterruptedException {
        process.destroy();
        await(process);
    }

    private static void await(Process process) throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
