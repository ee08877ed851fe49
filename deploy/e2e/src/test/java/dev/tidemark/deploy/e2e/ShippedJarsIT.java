package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.stack.Installation;

import static org.assertj.core.api.Assertions.assertThat;

/** A user gets {@code deploy/cli/target/lib}; a checkout adds the jars of benchmarks, drill and prober. */
final class ShippedJarsIT {
    private static final long PATIENCE_SECONDS = 120;

    /** What only a checkout has on the class path of its command line. */
    private static final List<String> ONLY_IN_A_CHECKOUT = List.of(
            "dev/tidemark/deploy/bench/",
            "dev/tidemark/deploy/chaos/",
            "dev/tidemark/deploy/drill/",
            "dev/tidemark/deploy/metrics/",
            "dev/tidemark/deploy/oracle/",
            "dev/tidemark/deploy/probe/");

    /** What runs in processes of its own, with a class path of its own. */
    private static final List<String> ELSEWHERE = List.of(
            "dev/tidemark/broker/",
            "dev/tidemark/streams/",
            "org/apache/kafka/streams/",
            "kafka/server/",
            "org/openjdk/jmh/");

    @TempDir
    Path directory = Path.of("");

    private Path deploy = Path.of("");

    @BeforeEach
    void find() throws Exception {
        deploy = Installation.locate().home().resolve("deploy");
    }

    @Test
    void whatAUserGetsHasNoBenchmarkDrillProberOrBaseline() throws IOException {
        Set<String> shipped = classesIn(deploy.resolve("cli/target/lib"));

        assertThat(shipped).contains("dev/tidemark/deploy/cli/TidemarkMain.class");
        assertThat(Stream.concat(ONLY_IN_A_CHECKOUT.stream(), ELSEWHERE.stream()))
                .allSatisfy(name -> assertThat(shipped).noneMatch(entry -> entry.startsWith(name)));
    }

    @Test
    void whatACheckoutAddsHasThemAndNothingThatAUserGets() throws IOException {
        Set<String> added = classesIn(deploy.resolve("chaos/target/lib"));
        added.addAll(classesIn(deploy.resolve("bench/target/lib")));

        assertThat(ONLY_IN_A_CHECKOUT).allSatisfy(name -> assertThat(added).anyMatch(entry -> entry.startsWith(name)));
        assertThat(added).doesNotContainAnyElementsOf(classesIn(deploy.resolve("cli/target/lib")));
    }

    @Test
    void theCommandLineOfAUserListsNoneOfTheirCommandsAndThatOfACheckoutListsAll() throws Exception {
        Path library = Files.createDirectory(directory.resolve("lib"));
        for (Path jar : jarsIn(deploy.resolve("cli/target/lib"))) {
            Files.copy(jar, library.resolve(jar.getFileName()));
        }
        String java = Installation.locate().java().toString();

        assertThat(commands(run(java, "-jar", library.resolve("tidemark.jar").toString(), "--help")))
                .contains("demo", "stack", "query", "backup", "doctor")
                .doesNotContain("bench", "drill", "probe");
        assertThat(commands(run(deploy.resolve("tidemark").toString(), "--help")))
                .contains("demo", "stack", "query", "backup")
                .endsWith("probe", "drill", "bench");
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        // The build that runs this test must not be started by it.
        builder.environment().put("TIDEMARK_NO_BUILD", "1");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            return Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The first words of the list of commands. */
    private static List<String> commands(String help) {
        return help.lines()
                .dropWhile(line -> !line.startsWith("Commands:"))
                .skip(1)
                .takeWhile(line -> !line.isBlank())
                .filter(line -> line.matches(" {2}[a-z].*"))
                .map(line -> line.strip().split("\\s", 2)[0])
                .toList();
    }

    private static Set<String> classesIn(Path library) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path jar : jarsIn(library)) {
            try (JarFile file = new JarFile(jar.toFile())) {
                file.stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.endsWith(".class") && !name.contains("module-info"))
                        .forEach(names::add);
            }
        }
        return names;
    }

    private static List<Path> jarsIn(Path library) throws IOException {
        try (Stream<Path> files = Files.list(library)) {
            List<Path> jars = new ArrayList<>(
                    files.filter(file -> file.toString().endsWith(".jar")).toList());
            assertThat(jars).as(library.toString()).isNotEmpty();
            return jars;
        }
    }
}
