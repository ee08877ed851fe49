package dev.tidemark.deploy.http;

import java.util.function.Supplier;

import io.javalin.Javalin;
import io.javalin.util.JavalinBindException;

import dev.tidemark.deploy.client.ServiceException;

/** Answers {@code GET /metrics} on the loopback address, and nothing else. */
public final class MetricsServer implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private final Javalin javalin;

    private MetricsServer(Javalin javalin) {
        this.javalin = javalin;
    }

    /**
     * Starts listening.
     *
     * @param port 0 for any free one
     * @param metrics gives the Prometheus text
     * @throws ServiceException when the port is taken
     */
    public static MetricsServer start(int port, Supplier<String> metrics) throws ServiceException {
        Javalin javalin = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.routes.get(
                    "/metrics",
                    context -> context.contentType("text/plain; version=0.0.4; charset=utf-8")
                            .result(metrics.get()));
        });
        try {
            return new MetricsServer(javalin.start(HOST, port));
        } catch (JavalinBindException e) {
            throw new ServiceException("cannot serve metrics: port " + port + " of " + HOST + " is in use");
        }
    }

    /** The port it listens on. */
    public int port() {
        return javalin.port();
    }

    @Override
    public void close() {
        javalin.stop();
    }
}
