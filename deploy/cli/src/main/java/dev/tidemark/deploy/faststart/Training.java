package dev.tidemark.deploy.faststart;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.StackPorts;

/** A short life of a stack on the sample tables, in which every process lists the classes that it loads. */
final class Training {
    private static final long PATIENCE_SECONDS = 120;
    private static final String READY = "ready";

    private final Installation installation;
    private final Path scratch;
    private final Path lists;
    private final StackPorts ports = StackPorts.free();

    /** @param scratch an empty directory */
    Training(Installation installation, Path scratch) {
        this.installation = installation;
        this.scratch = scratch;
        lists = scratch.resolve("lists");
    }

    /** @throws IOException when the stack does not come up, with what it said */
    LoadedClasses run() throws IOException, InterruptedException {
        Files.createDirectories(lists);
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
            visit();
        } finally {
            end(stack);
        }
        return LoadedClasses.of(lists);
    }

    private void visit() throws IOException, InterruptedException {
        String writer = "--writer=http://127.0.0.1:" + ports.writer();
        String worker = "--worker=http://127.0.0.1:" + ports.worker();
        String rows = installation.samples().resolve("customers.ndjson").toString();
        await(start("load", "customers", rows, writer));
        await(start("query", "by_town", "town=Redmond", worker));
        await(start("lag", worker));
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                installation.java().toString(),
                "-D" + Installation.HOME_PROPERTY + "=" + installation.home(),
                "-XX:TieredStopAtLevel=1",
                "-XX:DumpLoadedClassList=" + lists.resolve("%p"),
                "-jar",
                installation.serviceJar().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .put("TIDEMARK_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:DumpLoadedClassList=" + lists.resolve("%p"));
        return builder.start();
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
