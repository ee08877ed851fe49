package dev.tidemark.deploy.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.row.RowJson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

class DoctorCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private final Terminals.Recorded screen = Terminals.Recorded.pipe();

    @Test
    void printsWhatWasFoundExpectedAndIsToDo() throws Exception {
        Path settings = Files.writeString(directory.resolve("worker.properties"), "data.dri=/data\n");

        assertThat(run("doctor", "--worker-config", settings.toString())).isEqualTo(1);

        assertThat(screen.out())
                .contains("ok      java: Java ")
                .contains("failed  worker settings: unknown setting data.dri; expected data.dir")
                .contains("        expected: settings with which the worker starts\n        to do: Correct " + settings)
                .contains(" checks: 1 failed, ");
    }

    @Test
    void refusesAnAddressOnWhichTheServiceWouldNotListen() throws Exception {
        Path settings =
                Files.writeString(directory.resolve("worker.properties"), "data.dir=/data\nhttp.host=0.0.0.0\n");

        assertThat(run("doctor", "--worker-config", settings.toString())).isEqualTo(1);

        assertThat(screen.out()).contains("failed  worker settings: http.host=0.0.0.0 can be reached", "no TLS");
    }

    @Test
    void printsTheSameForPrograms() throws Exception {
        assumeThat(Path.of("/etc/tidemark")).doesNotExist();
        assertThat(run("doctor", "--json")).isZero();

        assertThat(RowJson.parse(screen.out().getBytes(UTF_8)).path("findings"))
                .isNotEmpty()
                .allSatisfy(
                        finding -> assertThat(finding.path("verdict").asText()).isIn("ok", "warning", "skipped"));
    }

    @Test
    void refusesWhatIsNoOption() {
        assertThat(run("doctor", "--cure")).isEqualTo(2);
        assertThat(run("doctor", "--worker", "localhost:8082")).isEqualTo(2);
    }

    private int run(String... arguments) {
        CommandContext context = new CommandContext(new CannedServices(), url -> false, screen.terminal(), work -> {});
        return Tidemark.commandLine(context, List.of(), List.of(new DoctorMain()))
                .execute(arguments);
    }
}
