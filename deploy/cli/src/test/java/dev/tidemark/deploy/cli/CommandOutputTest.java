package dev.tidemark.deploy.cli;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Where commands print, and what they do when that cannot be written. */
final class CommandOutputTest {
    private final CannedServices services = new CannedServices();

    CommandOutputTest() {
        services.answer = "{\"indexes\":[],\"entries\":[]}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "query --help",
                "query by_town --json",
                "indexes",
                "completion bash",
                "writer --set data.dir=x --print-config"
            })
    void aCommandWhoseOutputCannotBeWrittenSaysSoAndFails(String line) {
        Terminals.Recorded full = Terminals.Recorded.full();

        assertThat(run(full, line)).isEqualTo(1);
        assertThat(full.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .contains("tidemark: the output could not be written");
    }

    @Test
    void aWatchEndsOnceItsOutputCannotBeWritten() {
        // The second question is one too many.
        services.meanwhile = () -> assertThat(services.asked).hasSize(1);

        assertThat(run(Terminals.Recorded.full(), "lag --watch --json")).isEqualTo(1);
        assertThat(services.asked).hasSize(1);
    }

    @Test
    void aWatchForProgramsPrintsOnlyJsonAlsoWhileNoWorkerAnswers() {
        Terminals.Recorded screen = Terminals.Recorded.pipe();
        services.meanwhile = () -> {
            services.failure = services.asked.size() == 2 ? "the worker is away" : "";
            if (services.asked.size() == 3) {
                // As Ctrl-C would, during the next rest.
                Thread.currentThread().interrupt();
            }
        };

        run(screen, "lag --watch --json");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(services.asked).hasSize(3);
        assertThat(screen.out().lines()).containsExactly(services.answer, services.answer);
        assertThat(screen.err()).startsWith("tidemark: the worker is away");
    }

    @Test
    void textOfServicesDoesNotControlTheTerminal() {
        Terminals.Recorded screen = Terminals.Recorded.pipe();
        services.answer = "{\"outcome\":\"quarantined\",\"reason\":\"id \\u001b]0;x\\u0007\"}";
        assertThat(run(screen, "explain by_year 7")).isZero();
        services.failure = "id \u009b2J is wrong";
        assertThat(run(screen, "explain by_year 7")).isEqualTo(1);

        assertThat(screen.out()).contains("id \\u001b]0;x\\u0007");
        assertThat(screen.err()).contains("tidemark: id \\u009b2J is wrong");
        assertThat(screen.out() + screen.err()).doesNotContain("\u001b", "\u0007", "\u009b");
    }

    @Test
    void anAnswerForProgramsKeepsItsMeaningWhereTextIsEscaped() throws BadJsonException {
        Terminals.Recorded screen = Terminals.Recorded.pipe();
        services.answer = "{\"outcome\":\"quarantined\",\"reason\":\"\u009b2J\\u001b\u007f\"}";
        assertThat(run(screen, "explain by_year 7 --json")).isZero();

        assertThat(screen.out()).doesNotContain("\u001b", "\u009b", "\u007f");
        assertThat(RowJson.parse(screen.out().getBytes(UTF_8)))
                .isEqualTo(RowJson.parse(services.answer.getBytes(UTF_8)));
    }

    private int run(Terminals.Recorded screen, String line) {
        return TidemarkTest.commandLine(services, screen, List.of()).execute(line.split(" "));
    }
}
