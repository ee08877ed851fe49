package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.OptionSpec;

import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.testkit.GeneratedPage;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code --json} prints: the answer of the call that the option names in the help. The page lists the fields of
 * each by the OpenAPI document, which the answers of the services are held against.
 */
final class JsonOutputPageTest {
    private static final Pattern CALL = Pattern.compile("(?:GET|PUT) /v1/[a-z/{}]+");

    private final Terminals.Recorded screen = Terminals.Recorded.pipe();
    private final CannedServices services = new CannedServices();

    @TempDir
    Path directory;

    @Test
    void thePageHasTheFieldsOfEachCommand() {
        List<String> page = new ArrayList<>();
        callsByCommand().forEach((command, calls) -> {
            assertThat(calls).as(command).isNotEmpty();
            page.addAll(List.of("## " + command + " --json", ""));
            calls.forEach(call -> page.addAll(section(call)));
        });
        page.remove(page.size() - 1);

        new GeneratedPage("json-output.md", "fields", "deploy/cli", JsonOutputPageTest.class).holds(page);
    }

    @ParameterizedTest
    @CsvSource({
        "query by_town, GET /v1/indexes/{index}/entries",
        "explain by_town 7, GET /v1/indexes/{index}/explain",
        "receipt abc, GET /v1/receipts/{token}",
        "lag, GET /v1/lag",
        "workers, GET /v1/workers",
        "shards, GET /v1/workers",
        "indexes, GET /v1/indexes",
        "indexes by_town, GET /v1/indexes/{index}",
        "verify people, GET /v1/verify/{id}",
        "repair people, GET /v1/verify/{id}",
        "advise, GET /v1/advice",
        "plan -f FILE, GET /v1/plan/{id}",
        "apply --yes -f FILE, PUT /v1/catalog"
    })
    void printsTheAnswerOfTheCallThatTheHelpNamesAndNothingElse(String line, String call) throws IOException {
        services.answer =
                "{\"id\":\"1\",\"state\":\"done\",\"decided\":true,\"equal\":true,\"some\":[{\"thing\":1.50}]}";
        services.definitions.lifecycleStates.addFirst("{'indexes':[{'index':'by_town','some':{'thing':1}}]}");
        Path file = Files.writeString(
                directory.resolve("catalog.yaml"),
                CannedDefinitions.file("by_town: {key: [town]}, by_age: {key: [age]}"));

        int code = TidemarkTest.commandLine(services, screen, List.of())
                .execute((line.replace("FILE", file.toString()) + " --json").split(" ", -1));

        assertThat(code).as(screen.err()).isZero();
        assertThat(callsByCommand().get("tidemark " + line.split(" ", 2)[0])).contains(call);
        assertThat(screen.out().strip()).isEqualTo(services.answers.get(services.answers.size() - 1));
        assertThat(screen.out().lines()).hasSize(1);
    }

    /** The calls that commands name at {@code --json}. */
    private Map<String, List<String>> callsByCommand() {
        Map<String, List<String>> calls = new TreeMap<>();
        TidemarkTest.withAllBelow(TidemarkTest.commandLine(services, screen, List.of()))
                .forEach(command -> {
                    OptionSpec json = command.getCommandSpec().findOption("--json");
                    if (json != null) {
                        calls.put(
                                command.getCommandSpec().qualifiedName(),
                                CALL.matcher(String.join(" ", json.description()))
                                        .results()
                                        .map(MatchResult::group)
                                        .toList());
                    }
                });
        return calls;
    }

    private static List<String> section(String call) {
        String service = PublishedFields.of("worker").has(call) ? "worker" : "writer";
        List<String> lines =
                new ArrayList<>(List.of("The answer of `" + call + "` of the " + service + ":", "", "```text"));
        List<String> fields = PublishedFields.of(service).of200(call);
        assertThat(fields).as(call).isNotEmpty();
        lines.addAll(fields);
        lines.addAll(List.of("```", ""));
        return lines;
    }
}
