package dev.tidemark.settings;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void helpListsTheSettings() {
        assertThat(run(settings -> () -> {}, "--help")).contains(0);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("--set=key=value")
                .contains("a.number (default 7)")
                .contains("100 % of something")
                .contains("a.place (required)");
    }

    @Test
    void wrongUsageIsTold() {
        assertThat(run(settings -> () -> {}, "--nope")).contains(2);
        assertThat(run(settings -> () -> {}, "--set", "a.number=x", "--set", "a.place=p"))
                .contains(2);
        assertThat(run(settings -> () -> {}, "--set", "a.number=1")).contains(2);

        assertThat(err.toString(StandardCharsets.UTF_8).lines().toList())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).startsWith("tester: "));
    }

    @Test
    void aServiceThatCannotStartSaysWhyInOneSentence() {
        Optional<Integer> code = run(
                settings -> {
                    throw new IllegalStateException("the port is taken");
                },
                "--set",
                "a.place=p");

        assertThat(code).contains(1);
        assertThat(err.toString(StandardCharsets.UTF_8).lines().toList())
                .isEqualTo(List.of("tester: the port is taken"));
    }

    @Test
    void theServiceGetsTheSettings() {
        Optional<Integer> code = run(
                settings -> {
                    throw new IllegalStateException(settings.getString("a.place") + settings.getInt("a.number"));
                },
                "--set",
                "a.place=x",
                "--set",
                "a.number=12");

        assertThat(code).contains(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("x12");
    }

    private Optional<Integer> run(ServiceCommand.Starter starter, String... arguments) {
        ConfigDef definition = new ConfigDef()
                .define("a.number", ConfigDef.Type.INT, 7, ConfigDef.Importance.LOW, "100 % of something.")
                .define("a.place", ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "Where.");
        return new ServiceCommand("tester", "Tests.", definition)
                .attempt(
                        arguments,
                        Map.of(),
                        starter,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
    }
}
