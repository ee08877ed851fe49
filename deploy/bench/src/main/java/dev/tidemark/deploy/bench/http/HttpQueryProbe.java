package dev.tidemark.deploy.bench.http;

import java.net.URI;
import java.time.Duration;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.restart.QueryProbe;

/** Queries the first entries of a town. */
public final class HttpQueryProbe implements QueryProbe {
    private static final String TOWN = "/v1/indexes/by_town_last_name/entries?limit=20&town=Town%20100";

    private final HttpCalls calls = HttpCalls.within(Duration.ofSeconds(2));

    @Override
    public boolean answers(URI worker) throws InterruptedException {
        try {
            return calls.send(calls.to(worker, TOWN)).requireDone().body().contains("\"primaryKey\"");
        } catch (BenchException e) {
            return false;
        }
    }
}
