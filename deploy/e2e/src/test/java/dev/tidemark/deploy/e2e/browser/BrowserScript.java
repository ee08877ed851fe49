package dev.tidemark.deploy.e2e.browser;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Node script that drives Chromium, and asks by lines on its output for deeds that it cannot do itself. */
public final class BrowserScript {
    private static final String PLEASE = "please ";
    private static final long PATIENCE_SECONDS = 1_260;

    private final List<String> command;

    /** What the script asks for. */
    public interface Helper {
        void help(String deed) throws Exception;
    }

    /**
     * How a run ended.
     *
     * @param exitCode 0 when every check passed
     * @param output what it printed, without what it asked for
     */
    public record Outcome(int exitCode, String output) {}

    private BrowserScript(List<String> command) {
        this.command = List.copyOf(command);
    }

    /** The script at work on a page; what this machine lacks for it, where it lacks something. */
    public static BrowserScript of(Path home, URI page, Optional<Path> picture) {
        List<String> command = new ArrayList<>();
        command.add(onPath("node").orElseThrow().toString());
        command.add(home.resolve("deploy/e2e/src/test/console/console.mjs").toString());
        command.add(page + "/");
        command.add(modules(home).toString());
        command.add(onPath("chromium").orElseThrow().toString());
        picture.ifPresent(file -> command.add(file.toAbsolutePath().toString()));
        return new BrowserScript(command);
    }

    /** What this machine lacks to run it; empty when nothing. */
    public static List<String> missing(Path home) {
        List<String> missing = new ArrayList<>();
        for (String program : List.of("node", "chromium")) {
            if (onPath(program).isEmpty()) {
                missing.add(program);
            }
        }
        if (!Files.isDirectory(modules(home).resolve("node_modules/playwright-core"))) {
            missing.add("playwright-core in target/console, which .ci/chromium puts there");
        }
        return missing;
    }

    /** Runs it to its end, which is at hand after some minutes at the latest. */
    public Outcome run(Helper helper) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture<Process> watch = process.onExit()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .whenComplete((ended, late) -> process.destroyForcibly());
        StringBuilder output = new StringBuilder();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                Writer answers = process.outputWriter(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(PLEASE)) {
                    answers.write(help(helper, line.substring(PLEASE.length())) + "\n");
                    answers.flush();
                } else {
                    output.append(line).append('\n');
                }
            }
        } catch (IOException e) {
            output.append(e).append('\n');
        } finally {
            process.destroy();
        }
        return new Outcome(watch.get().exitValue(), output.toString());
    }

    /** A deed that fails is a failure of the check that asked for it, and the other checks go on. */
    private static String help(Helper helper, String deed) {
        try {
            helper.help(deed);
            return "done";
        } catch (Exception | AssertionError e) {
            return e.toString().replace('\n', ' ');
        }
    }

    private static Path modules(Path home) {
        return home.resolve("target/console");
    }

    private static Optional<Path> onPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
