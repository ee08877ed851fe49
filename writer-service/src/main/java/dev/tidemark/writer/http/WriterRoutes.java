package dev.tidemark.writer.http;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

import dev.tidemark.backup.Backups;
import dev.tidemark.http.BackupRoute;
import dev.tidemark.http.DirectCall;
import dev.tidemark.http.ErrorMapping;
import dev.tidemark.http.Need;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ServiceRoutes;
import dev.tidemark.row.ProblemType;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.define.DefinitionDesk;
import dev.tidemark.writer.lag.FreshnessWatch;
import dev.tidemark.writer.outbox.Backlog;

/** The writer's calls and where they are. */
public final class WriterRoutes implements ServiceRoutes {
    private static final String ROWS = "/v1/tables/{table}/rows";
    private static final String ROW = ROWS + "/{key}";

    private final List<Route> routes;
    private final List<DirectCall> direct;

    /** One call. */
    record Route(HandlerType method, String path, Handler handler, Need need) {}

    /** What the calls work with. */
    public record Parts(
            Supplier<Map<String, RowRules>> rules,
            DefinitionDesk definitions,
            FactStore store,
            Committer committer,
            Backlog backlog,
            FreshnessWatch freshness,
            Backups backups,
            Clock clock) {}

    /**
     * The calls.
     *
     * @param atomicMaxBytes most bytes of an all-or-nothing bulk load
     * @param pageRows most rows of a page
     */
    public WriterRoutes(Parts parts, long atomicMaxBytes, int pageRows) {
        Tables tables = new Tables(parts.rules());
        Submitter submitter = new Submitter(parts.committer());
        RowHandlers rows = new RowHandlers(tables, parts.store(), submitter);
        ReadHandlers reads = new ReadHandlers(tables, parts.store(), pageRows);
        BulkHandler bulk = new BulkHandler(tables, submitter, atomicMaxBytes);
        FactsHandler facts = new FactsHandler(tables, parts.store());
        AboutHandlers about = new AboutHandlers(
                tables,
                parts.freshness(),
                parts.backlog(),
                () -> parts.committer().frontier().version().epoch(),
                parts.clock());
        CatalogHandlers catalog = new CatalogHandlers(parts.definitions());
        this.direct = List.of(rows.directPut());
        this.routes = List.of(
                new Route(HandlerType.GET, "/v1/catalog", catalog::get, Need.ADMIN),
                new Route(HandlerType.PUT, "/v1/catalog", catalog::put, Need.ADMIN),
                new Route(HandlerType.POST, "/v1/catalog/orders", catalog::order, Need.ADMIN),
                new Route(HandlerType.POST, BackupRoute.PATH, new BackupRoute(parts.backups())::make, Need.ADMIN),
                new Route(HandlerType.GET, "/v1/tables", about::tables, Need.TOKEN),
                new Route(HandlerType.GET, "/v1/lag", about::lag, Need.TOKEN),
                new Route(HandlerType.GET, "/v1/clock", about::clock, Need.TOKEN),
                new Route(HandlerType.GET, "/v1/tables/{table}/facts", facts::stream, Need.READ_ROWS),
                new Route(HandlerType.GET, ROWS, reads::scan, Need.READ_ROWS),
                new Route(HandlerType.POST, ROWS, bulk::load, Need.WRITE_ROWS),
                new Route(HandlerType.POST, ROWS + ":lookup", reads::lookup, Need.READ_ROWS),
                new Route(HandlerType.GET, ROW, rows::get, Need.READ_ROWS),
                new Route(HandlerType.PUT, ROW, rows::put, Need.WRITE_ROWS),
                new Route(HandlerType.PATCH, ROW, rows::patch, Need.WRITE_ROWS),
                new Route(HandlerType.DELETE, ROW, rows::delete, Need.WRITE_ROWS));
    }

    @Override
    public void addTo(RoutesConfig config) {
        config.exception(
                FactsUnreadableException.class,
                (e, context) -> ErrorMapping.answer(
                        context,
                        Problem.of(503, "Fact tables damaged", String.valueOf(e.getMessage()))
                                .typed(ProblemType.FACTS_DAMAGED)));
        routes.forEach(route -> config.addHttpHandler(route.method(), route.path(), route.handler(), route.need()));
    }

    @Override
    public List<DirectCall> direct() {
        return direct;
    }

    List<Route> routes() {
        return routes;
    }
}
