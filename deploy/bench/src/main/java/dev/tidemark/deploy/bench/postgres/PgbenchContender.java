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
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;

/** PostgreSQL under the load of pgbench. */
final class PgbenchContender implements Contender {
    private static final Path SCRIPTS = Path.of("deploy", "bench", "scripts");
    private static final String LOG = "transactions";

    private final PostgresServer server;
    private final ScenarioContext context;
    private final Load load;
    private final Path script;

    /** What pgbench does. */
    enum Load {
        PUT("put.sql", 64),
        QUERY("query.sql", 16);

        private final String script;
        private final int clients;

        Load(String script, int clients) {
            this.script = script;
            this.clients = clients;
        }

        private boolean wantsLatencies() {
            return this == QUERY;
        }
    }

    PgbenchContender(PostgresServer server, ScenarioContext context, Load load) throws IOException {
        this.server = server;
        this.context = context;
        this.load = load;
        // The account that runs pgbench may not be able to read the checkout.
        this.script = server.directory().resolve(load.script);
        Files.writeString(
                script,
                Files.readString(context.installation().home().resolve(SCRIPTS).resolve(load.script)));
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, IOException, InterruptedException {
        String printed = server.pgbench(arguments());
        Map<Figure, Double> found = new HashMap<>();
        found.put(load == Load.QUERY ? Figure.QUERY : Figure.PUT, PgbenchOutput.perSecond(printed));
        if (load.wantsLatencies()) {
            found.put(Figure.QUERY_P99, PgbenchOutput.p99Millis(takeLog()));
        }
        // So that a checkpoint that is due does not come in the other's round.
        server.run("checkpoint");
        return found;
    }

    @Override
    public void close() {
        server.close();
    }

    private String[] arguments() {
        List<String> arguments = new ArrayList<>(List.of(
                "--protocol=prepared",
                "--client=" + load.clients,
                "--jobs=1",
                "--time=" + context.size().time().toSeconds(),
                "--define=customers=" + context.size().rows(),
                "--file=" + script));
        if (load.wantsLatencies()) {
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
