package dev.tidemark.deploy.cli;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.probe.FakeServices;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.row.RowJson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

final class ProbeCommandTest {
    private final FakeServices services = new FakeServices();
    private final Terminals.Recorded screen = Terminals.Recorded.pipe();

    @Test
    void saysThatHonestServicesAreHonest() {
        assertThat(run("--duration", "1s")).isZero();
        assertThat(screen.out())
                .contains("canary.by_id", "worker freshness", "visible ", "honest: nothing was too small");
    }

    @Test
    void exitsWithOneAndShowsWhichNumberWasTooSmall() {
        services.lying.set(true);
        services.stick(true);

        assertThat(run("--duration", "1s")).isEqualTo(1);
        assertThat(screen.out())
                .contains("answer stalenessMs said 0 ms, true was at least", "were too small by more than 100 ms");
    }

    @Test
    void printsJson() throws Exception {
        assertThat(run("--duration", "1s", "--json")).isZero();
        JsonNode report = RowJson.parse(screen.out().getBytes(UTF_8));
        assertThat(report.path("honest").asBoolean()).isTrue();
        assertThat(report.path("underReported").asInt(-1)).isZero();
        assertThat(report.path("sources")).hasSize(6);
        assertThat(report.path("visibilitySeconds").path("p99").isNumber()).isTrue();
    }

    @Test
    void saysWhatToAddWhenThereIsNoCanaryTable() {
        assertThat(run("--table", "customers")).isEqualTo(1);
        assertThat(screen.err()).contains("there is no table customers", "primaryKey: id");
    }

    private int run(String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = "probe";
        System.arraycopy(options, 0, arguments, 1, options.length);
        return Tidemark.commandLine(
                        new CannedServices(),
                        (writer, worker, patience) -> services,
                        new NoContestants(),
                        url -> false,
                        screen.terminal(),
                        Map.of(),
                        work -> {})
                .execute(arguments);
    }
}
