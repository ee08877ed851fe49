package dev.tidemark.deploy.bench.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;

/**
 * PostgreSQL under the load of pgbench.
 *
 * @param scenario {@link Scenario#PUT} or {@link Scenario#QUERY}
 * @param script where the account that runs pgbench can read it
 */
record PgbenchRound(PostgresServer server, ScenarioContext context, Scenario scenario, Path script) {
    private static final Path SCRIPTS = Path.of("deploy", "bench", "scripts");
    private static final String LOG = "transactions";

    static PgbenchRound prepare(PostgresServer server, ScenarioContext context, Scenario scenario) throws IOException {
        String name = scenario.label() + ".sql";
        Path scripts = context.stack().installation().home().resolve(SCRIPTS);
        Path script = Files.writeString(server.directory().resolve(name), Files.readString(scripts.resolve(name)));
        return new PgbenchRound(server, context, scenario, script);
    }

    Map<Figure, Double> run() throws BenchException, IOException, InterruptedException {
        String printed = server.pgbench(arguments());
        Map<Figure, Double> found = new HashMap<>();
        found.put(scenario == Scenario.QUERY ? Figure.QUERY : Figure.PUT, PgbenchOutput.perSecond(printed));
        if (scenario == Scenario.QUERY) {
            found.put(Figure.QUERY_P99, PgbenchOutput.p99Millis(takeLog()));
        }
        // So that a checkpoint that is due does not come in the other's round.
        server.run("checkpoint");
        return found;
    }

    private String[] arguments() {
        List<String> arguments = new ArrayList<>(List.of(
                "--protocol=prepared",
                "--client=" + scenario.connections(),
                "--jobs=1",
                "--time=" + context.size().time().toSeconds(),
                "--define=customers=" + context.size().rows(),
                "--file=" + script));
        if (scenario == Scenario.QUERY) {
            // Writing a line for every transaction would take from what is measured.
            arguments.addAll(List.of("--log", "--log-prefix=" + LOG, "--sampling-rate=0.1"));
        }
        arguments.add("postgres");
        return arguments.toArray(String[]::new);
    }

    private List<String> takeLog() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(server.directory())) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith(LOG + "."))
                    .toList()) {
                lines.addAll(Files.readAllLines(file));
                Files.delete(file);
            }
        }
        return lines;
    }
}
