package dev.tidemark.writer.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.tidemark.http.Forwarder;
import dev.tidemark.http.Problem;
import dev.tidemark.http.Route;
import dev.tidemark.http.ServiceRoutes;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.RowRules;

/** The calls of a writer that is not the active one: it reads rows itself, and passes all others on. */
public final class StandbyRoutes implements ServiceRoutes {
    private final List<Route> routes;
    private final Forwarder forwarder;

    /**
     * The calls.
     *
     * @param rules the tables that there are
     * @param pageRows most rows of a page
     */
    public StandbyRoutes(Supplier<Map<String, RowRules>> rules, FactStore store, int pageRows, Forwarder forwarder) {
        this.routes = WriterRoutes.reads(new Tables(rules), store, pageRows);
        this.forwarder = forwarder;
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    public Optional<Forwarder> forwarder() {
        return Optional.of(forwarder);
    }

    @Override
    public Optional<Problem> problem(Throwable failure) {
        return WriterRoutes.readProblem(failure);
    }
}
