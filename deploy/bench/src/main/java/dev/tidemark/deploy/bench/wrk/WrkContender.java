package dev.tidemark.deploy.bench.wrk;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;

/** Tidemark under the load of wrk. */
final class WrkContender implements Contender {
    private static final Path SCRIPTS = Path.of("deploy", "bench", "scripts");

    private final WrkTool wrk;
    private final Load load;
    private final ScenarioContext context;
    private final IndexBuilder table;
    private int rounds;

    /** What wrk does. */
    enum Load {
        PUT("put.lua", 64, Figure.PUT, Figure.PUT),
        QUERY("query.lua", 16, Figure.QUERY, Figure.QUERY_P99);

        private final String script;
        private final int connections;
        private final Figure rate;
        private final Figure late;

        Load(String script, int connections, Figure rate, Figure late) {
            this.script = script;
            this.connections = connections;
            this.rate = rate;
            this.late = late;
        }

        private URI service(ScenarioContext context) {
            return this == PUT ? context.stack().writerUrl() : context.stack().workerUrl();
        }

        private Map<Figure, Double> figures(WrkOutput output) {
            return rate == late
                    ? Map.of(rate, output.perSecond())
                    : Map.of(rate, output.perSecond(), late, output.p99Millis());
        }
    }

    WrkContender(WrkTool wrk, Load load, ScenarioContext context, IndexBuilder table) {
        this.wrk = wrk;
        this.load = load;
        this.context = context;
        this.table = table;
    }

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, IOException, InterruptedException {
        rounds++;
        WrkOutput output = wrk.run(
                context.installation().home().resolve(SCRIPTS).resolve(load.script),
                load.service(context),
                load.connections,
                context.size().time(),
                List.of(Integer.toString(context.size().rows()), Integer.toString(rounds)));
        // Loading nothing waits until the index has caught up with what was written.
        table.load(Stream.empty());
        return load.figures(output);
    }

    @Override
    public void close() {
        table.close();
    }
}
