package dev.tidemark.deploy.bench.http;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;
import dev.tidemark.deploy.drill.hostile.Flood;
import dev.tidemark.deploy.drill.hostile.Script;
import dev.tidemark.deploy.drill.hostile.Scripts;
import dev.tidemark.deploy.stack.Role;

/** One stack, queried with slow clients beside and without. */
public final class HttpClientsSuite {
    private static final int CONNECTIONS = 400;
    private static final String TABLE = "customers";
    private static final String INDEX = "by_town_last_name";

    private HttpClientsSuite() {}

    /** Both ways. */
    public static Suite of() {
        return new Suite(
                context -> {
                    context.filledTable().close();
                    HttpClientsRound round = new HttpClientsRound(context, () -> slow(context));
                    return new Contender<>("beside slow clients", round::run);
                },
                context -> Optional.of(new Contender<>("alone", new HttpClientsRound(context, List::of)::run)),
                "it needs nothing");
    }

    private static List<Flood> slow(ScenarioContext context) {
        URI writer = context.stack().services().writerUrl();
        URI worker = context.stack().services().workerUrl();
        return List.of(
                slow(Role.WRITER, writer, new Scripts(writer.getAuthority()).forWriter(TABLE, "customerId")),
                slow(Role.WORKER, worker, new Scripts(worker.getAuthority()).forWorker(TABLE, INDEX)));
    }

    private static Flood slow(Role role, URI url, List<Script> scripts) {
        return new Flood(
                role.label(), url, scripts.stream().filter(Script::isSlow).toList(), CONNECTIONS);
    }
}
