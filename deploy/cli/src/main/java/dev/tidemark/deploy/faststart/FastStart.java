package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.ScratchDirectory;

/** Makes the archives of both class paths, unless they are younger than the jars that they are made of. */
record FastStart(Installation installation) {
    private static final long PATIENCE_SECONDS = 300;

    /**
     * Runs the demo once, and makes archives of the classes that its processes load.
     *
     * @throws IOException when one of the archives could not be made, with the cause; those made before stay
     */
    void prepare() throws IOException, InterruptedException {
        List<ClassArchive> archives = List.of(
                new ClassArchive(installation.serviceJar(), installation.serviceArchive()),
                new ClassArchive(installation.brokerJar(), installation.brokerArchive()));
        if (archives.get(0).isFresh() && archives.get(1).isFresh()) {
            return;
        }
        Path target = Files.createDirectories(installation.serviceArchive().resolveSibling(""));
        try (ScratchDirectory scratch = ScratchDirectory.below(target)) {
            Path lists = Files.createDirectories(scratch.path().resolve("lists"));
            runDemo(scratch.path().resolve("data"), lists, target.resolve("demo.log"));
            // Of both class paths: a virtual machine passes over what is not on its own.
            Path classes = Files.write(scratch.path().resolve("classes"), union(lists));
            for (ClassArchive archive : archives) {
                archive.make(installation.java(), classes);
            }
        }
    }

    /** In the demo every process lists the classes that it loads, and what was made of lambdas. */
    private void runDemo(Path data, Path lists, Path log) throws IOException, InterruptedException {
        List<String> flags = List.of("-XX:TieredStopAtLevel=1", "-XX:DumpLoadedClassList=" + lists.resolve("%p"));
        List<String> command = new ArrayList<>(List.of(installation.java().toString()));
        command.addAll(flags);
        command.add("-D" + Installation.HOME_PROPERTY + "=" + installation.home());
        command.addAll(List.of("-jar", installation.serviceJar().toString(), "demo", "--once", "--data=" + data));
        ProcessBuilder demo = new ProcessBuilder(command);
        demo.environment().put("TIDEMARK_JAVA_OPTS", String.join(" ", flags));
        if (!succeeds(demo, log)) {
            throw new IOException("the demo that shows which classes are loaded did not pass; see " + log);
        }
    }

    /** The lines of all lists, each once. */
    static Set<String> union(Path lists) throws IOException {
        Set<String> union = new LinkedHashSet<>();
        try (Stream<Path> files = Files.list(lists)) {
            for (Path list : files.sorted().toList()) {
                union.addAll(Files.readAllLines(list));
            }
        }
        return union;
    }

    /** Runs a program, whose output becomes the log, and kills it when it takes too long. */
    static boolean succeeds(ProcessBuilder program, Path log) throws IOException, InterruptedException {
        Process process =
                program.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        return ended && process.exitValue() == 0;
    }
}
