package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import dev.tidemark.deploy.bench.restart.QueryProbe;

/** Asks for the first entries of a town. */
public final class HttpQueryProbe implements QueryProbe {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final String TOWN = "/v1/indexes/by_town_last_name/entries?limit=20&town=Town%20100";
    private static final int OK = 200;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    @Override
    public boolean answers(URI worker) throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(worker.resolve(TOWN))
                            .timeout(PATIENCE)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == OK && answer.body().contains("\"primaryKey\"");
        } catch (IOException e) {
            return false;
        }
    }
}
