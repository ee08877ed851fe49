package dev.tidemark.deploy.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Route;
import dev.tidemark.http.Security;
import dev.tidemark.memory.MemoryBudget;

/** A service that answers what a test says, whatever parameters it is asked with. */
public final class StubServer implements AutoCloseable {
    private final HttpServer server;

    public StubServer(List<Route> routes) {
        try {
            server = HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, Duration.ofMillis(200)),
                    Security.none(),
                    MemoryBudget.unlimited(),
                    () -> routes.stream().map(Route::readingAny).toList());
        } catch (PortInUseException e) {
            throw new AssertionError(e);
        }
    }

    public URI url() {
        return URI.create(server.url() + "/");
    }

    @Override
    public void close() {
        server.close();
    }
}
