package dev.tidemark.settings;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceCommandTest {
    private static final ServiceCommand.Starter NONE = settings -> () -> {};

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void helpListsTheSettings() {
        assertThat(run(settings -> () -> {}, "--help")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("--set=key=value")
                .contains("a.number (default 7)")
                .contains("100 % of something")
                .contains("a.place (required)");
    }

    @Test
    void printsAllSettingsAsAFileThatItTakesWithWhereTheyCameFromAndWithoutSecrets() throws Exception {
        Path file = Files.writeString(directory.resolve("a.properties"), "a.place=\\ b\\\\c\nkafka.linger.ms=3\n");
        Map<String, String> environment = Map.of(
                "TIDEMARK_TESTER_KAFKA_SASL_JAAS_CONFIG", "password=geheim",
                "TIDEMARK_TESTER_KAFKA_SSL_KEYSTORE_KEY", "geheim",
                "TIDEMARK_TESTER_A_SECRET", "geheim");

        int code = run(environment, NONE, "--config", file.toString(), "--print-config");

        String printed = out.toString(StandardCharsets.UTF_8);
        assertThat(code).isZero();
        assertThat(printed)
                .contains("# 100 % of something. (int)\n#a.number=7\n")
                .contains("# Where. (string, required)\n# from " + file + "\na.place=\\ b\\\\c\n")
                .contains("# a.secret comes from the environment, and is not shown.\n")
                .contains("# kafka.ssl.keystore.key comes from the environment, and is not shown.\n")
                .contains("# kafka.sasl.jaas.config comes from the environment, and is not shown.\n")
                .contains("# from " + file + "\nkafka.linger.ms=3\n")
                .doesNotContain("geheim");
        out.reset();
        Files.writeString(file, printed);
        run(Map.of(), NONE, "--config", file.toString(), "--print-config");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("#a.number=7\n", "\na.place=\\ b\\\\c\n", "\n#a.secret=\n", "\nkafka.linger.ms=3\n");
    }

    @Test
    void failsWhereStandardOutputCannotBeWritten() throws IOException {
        OutputStream closed = OutputStream.nullOutputStream();
        closed.close();
        PrintStream standard = System.out;
        System.setOut(new PrintStream(closed, true, StandardCharsets.UTF_8));
        try {
            assertThat(command(Map.of(), NONE).execute("--set", "a.place=p", "--print-config"))
                    .isEqualTo(1);
        } finally {
            System.setOut(standard);
        }
    }

    @Test
    void wrongUsageIsTold() {
        assertThat(run(settings -> () -> {}, "--nope")).isEqualTo(2);
        assertThat(run(settings -> () -> {}, "--set", "a.number=x", "--set", "a.place=p"))
                .isEqualTo(2);
        assertThat(run(settings -> () -> {}, "--set", "a.number=1")).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8).lines().toList())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).startsWith("tester: "));
    }

    @Test
    void aServiceThatCannotStartSaysWhyInOneSentence() {
        int code = run(
                settings -> {
                    throw new IllegalStateException("the port is taken");
                },
                "--set",
                "a.place=p");

        assertThat(code).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8).lines().toList())
                .isEqualTo(List.of("tester: the port is taken"));
    }

    @Test
    void theServiceGetsTheSettings() {
        int code = run(
                settings -> {
                    throw new IllegalStateException(settings.getString("a.place") + settings.getInt("a.number"));
                },
                "--set",
                "a.place=x",
                "--set",
                "a.number=12");

        assertThat(code).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("x12");
    }

    private int run(ServiceCommand.Starter starter, String... arguments) {
        return run(Map.of(), starter, arguments);
    }

    private int run(Map<String, String> environment, ServiceCommand.Starter starter, String... arguments) {
        return command(environment, starter)
                .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .execute(arguments);
    }

    private static CommandLine command(Map<String, String> environment, ServiceCommand.Starter starter) {
        ConfigDef definition = new ConfigDef()
                .define("a.number", ConfigDef.Type.INT, 7, ConfigDef.Importance.LOW, "100 % of something.")
                .define("a.place", ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "Where.")
                .define("a.secret", ConfigDef.Type.PASSWORD, null, ConfigDef.Importance.LOW, "What.");
        return ServiceCommand.of("tester", "Tests.", definition, starter, environment);
    }
}
