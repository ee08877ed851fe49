package dev.tidemark.deploy.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LogTail;

/** A process that prints a line when it has done some work, and may read lines. Owned by one thread. */
public final class LineProcess implements AutoCloseable {
    private static final long PATIENCE_MINUTES = 10;
    private static final int LINES = 8;

    private final Process process;
    private final BufferedReader lines;
    private final BufferedWriter input;
    private final Path log;

    private LineProcess(Process process, Path log) {
        this.process = process;
        this.lines = process.inputReader();
        this.input = process.outputWriter();
        this.log = log;
    }

    /**
     * Starts a process.
     *
     * @param log receives its errors, after those of earlier processes
     */
    public static LineProcess start(List<String> command, Path log) throws IOException {
        return new LineProcess(
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start(),
                log);
    }

    /**
     * The command of a program of the benchmarks, in a virtual machine like those of the services.
     *
     * @param memory options of the virtual machine
     * @param main name of the class, and then its arguments
     */
    public static List<String> java(Installation installation, List<String> memory, String... main) {
        Path jar = installation.home().resolve("deploy/bench/target/lib/bench.jar");
        return java(installation, memory, installation.serviceJar() + File.pathSeparator + jar, main);
    }

    /** The same for a program with another class path. */
    static List<String> java(Installation installation, List<String> memory, String classPath, String[] main) {
        List<String> command = new ArrayList<>(List.of(installation.java().toString(), "-XX:+UseSerialGC"));
        command.addAll(memory);
        command.addAll(List.of("-cp", classPath));
        command.addAll(List.of(main));
        return command;
    }

    /**
     * Runs a program to its end, and returns what it prints.
     *
     * @throws BenchException when it fails, with what it printed
     */
    static String output(ProcessBuilder program, String name) throws BenchException, InterruptedException {
        try {
            Process process = program.redirectErrorStream(true).start();
            try {
                String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    throw new BenchException(
                            name + " ended with " + process.exitValue() + " and printed: " + printed.strip());
                }
                return printed;
            } finally {
                process.destroy();
            }
        } catch (IOException e) {
            throw new BenchException(name + " could not be run: " + e.getMessage(), e);
        }
    }

    /** Writes a line to the input of the process, which is open until {@link #close}. */
    public void write(String line) throws IOException {
        input.write(line + "\n");
        input.flush();
    }

    /**
     * Waits for the next line.
     *
     * @throws BenchException when the process ends without a line, or prints none within ten minutes
     */
    public String line() throws Exception {
        // A process that hangs is ended, and then the line is missing.
        CompletableFuture<Boolean> guard = process.onExit()
                .orTimeout(PATIENCE_MINUTES, TimeUnit.MINUTES)
                .handle((ended, late) -> process.isAlive() && process.toHandle().destroyForcibly());
        try {
            String line = lines.readLine();
            if (line == null) {
                throw new BenchException(
                        "a process measured nothing; the end of its log:\n" + LogTail.lastLines(log, LINES));
            }
            return line;
        } finally {
            guard.cancel(false);
        }
    }

    /** Kills the process and waits for its end. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
