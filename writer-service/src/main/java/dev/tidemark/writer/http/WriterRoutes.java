package dev.tidemark.writer.http;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.backup.Backups;
import dev.tidemark.http.BackupRoute;
import dev.tidemark.http.Forwarder;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.Route;
import dev.tidemark.http.ServiceRoutes;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.catalog.CatalogRegistry;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.lag.FreshnessWatch;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.Dismissals;
import dev.tidemark.writer.outbox.TopicLedger;

/** The writer's calls and where they are. */
public final class WriterRoutes implements ServiceRoutes {
    private static final String ROWS = "/v1/tables/{table}/rows";
    private static final String SOURCE = "/v1/sources/{name}";
    private static final String ROW = ROWS + "/{key}";

    /** A good copy of the tables has to be put back by hand. */
    private static final Duration UNTIL_PUT_BACK = Duration.ofMinutes(1);

    private static final Duration UNTIL_BACK = Duration.ofSeconds(1);

    private static final Logger LOGGER = LoggerFactory.getLogger(WriterRoutes.class);

    private static final Problem UNAVAILABLE = Problem.retryable(
                    503,
                    "Fact tables unavailable",
                    "the database of the fact tables cannot be reached, or did not answer in time; see the log",
                    UNTIL_BACK)
            .typed(ProblemType.FACTS_UNAVAILABLE);

    private final List<Route> routes;
    private final Optional<Forwarder> forwarder;

    /** What the calls work with. */
    public record Parts(
            Supplier<Map<String, RowRules>> rules,
            CatalogRegistry definitions,
            FactStore store,
            Committer committer,
            Backlog backlog,
            FreshnessWatch freshness,
            Dismissals dismissals,
            Backups backups,
            TopicLedger ledger,
            Supplier<Optional<Duration>> unconfirmedFor,
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
        RowHandlers rows = new RowHandlers(tables, submitter);
        BulkHandler bulk = new BulkHandler(tables, submitter, atomicMaxBytes);
        FactsHandler facts = new FactsHandler(tables, parts.store());
        QuarantineHandler quarantine = new QuarantineHandler(tables, parts.dismissals());
        InfoHandlers about = new InfoHandlers(
                tables,
                parts.definitions()::current,
                parts.freshness(),
                parts.backlog(),
                () -> parts.committer().frontier().version().epoch(),
                () -> given(parts),
                UUID.randomUUID().toString(),
                parts.clock());
        SourceHandlers sources = new SourceHandlers(
                tables, parts.store(), parts.committer(), (int) Math.min(Integer.MAX_VALUE, atomicMaxBytes));
        CatalogHandlers catalog = new CatalogHandlers(parts.definitions());
        List<Route> all = new ArrayList<>(reads(tables, parts.store(), pageRows));
        all.addAll(List.of(
                Route.get("/v1/catalog", Permission.ADMIN, catalog::get),
                Route.put("/v1/catalog", Permission.ADMIN, catalog::put)
                        .reading("dry_run")
                        .taking(CatalogHandlers.CATALOG),
                Route.post("/v1/catalog/orders", Permission.ADMIN, catalog::order)
                        .reading("dry_run")
                        .taking(CatalogHandlers.ORDER),
                Route.post(BackupRoute.PATH, Permission.ADMIN, new BackupRoute(parts.backups())::make)
                        .reading(BackupRoute.NAME),
                Route.get("/v1/tables", Permission.TOKEN, about::tables),
                Route.get("/v1/lag", Permission.TOKEN, about::lag),
                Route.get("/v1/clock", Permission.TOKEN, about::clock),
                Route.get(SOURCE, Permission.WRITE_SOURCE, sources::get),
                Route.post(SOURCE + "/batches", Permission.WRITE_SOURCE, sources::batch)
                        .reading("admit_unindexable")
                        .taking(sources::body),
                Route.delete("/v1/tables/{table}/quarantine/{partition}/{key}", Permission.ADMIN, quarantine::dismiss)
                        .reading("index", "generation", "layout"),
                Route.get("/v1/tables/{table}/facts", Permission.READ_ROWS, facts::stream)
                        .reading("rows"),
                Route.load(ROWS, Permission.WRITE_ROWS, bulk::begin)
                        .reading("atomic")
                        .taking(bulk::check),
                Route.put(ROW, Permission.WRITE_ROWS, rows::put)
                        .taking(rows::rowBody)
                        .directly(rows::putDirectly),
                Route.patch(ROW, Permission.WRITE_ROWS, rows::patch).taking(rows::patchBody),
                Route.delete(ROW, Permission.WRITE_ROWS, rows::delete)));
        this.routes = List.copyOf(all);
        this.forwarder = Optional.empty();
    }

    private WriterRoutes(List<Route> routes, Forwarder forwarder) {
        this.routes = routes;
        this.forwarder = Optional.of(forwarder);
    }

    /**
     * The calls of a writer that is not the active one: it reads rows itself, and passes all others on.
     *
     * @param rules the tables that there are
     * @param pageRows most rows of a page
     */
    public static WriterRoutes ofStandby(
            Supplier<Map<String, RowRules>> rules, FactStore store, int pageRows, Forwarder forwarder) {
        return new WriterRoutes(reads(new Tables(rules), store, pageRows), forwarder);
    }

    /** The calls that read rows, whichever process commits them. */
    private static List<Route> reads(Tables tables, FactStore store, int pageRows) {
        ReadHandlers reads = new ReadHandlers(tables, store, pageRows);
        return List.of(
                Route.get(ROWS, Permission.READ_ROWS, reads::scan).reading("limit", "cursor"),
                Route.post(ROWS + ":lookup", Permission.READ_ROWS, reads::lookup)
                        .taking(reads::body),
                Route.get(ROW, Permission.READ_ROWS, reads::get));
    }

    /**
     * None before topics were asked: where they hold more, the last version is not the highest. None of a writer that
     * waits for another one, either.
     */
    private static Optional<InfoHandlers.Given> given(Parts parts) {
        if (parts.ledger().unsettled().isPresent()) {
            return Optional.empty();
        }
        RowVersion version = parts.committer().frontier().version();
        // After the version was read: the process may stand still in between.
        return parts.unconfirmedFor().get().map(age -> new InfoHandlers.Given(version, age));
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    public Optional<Forwarder> forwarder() {
        return forwarder;
    }

    /** What to answer where rows cannot be read. */
    @Override
    public Optional<Problem> problem(Throwable failure) {
        if (failure instanceof FactsUnavailableException) {
            LOGGER.warn("A request needs the database of the fact tables", failure);
            return Optional.of(UNAVAILABLE);
        }
        return failure instanceof FactsUnreadableException
                ? Optional.of(Problem.retryable(
                                503, "Fact tables damaged", String.valueOf(failure.getMessage()), UNTIL_PUT_BACK)
                        .typed(ProblemType.FACTS_DAMAGED))
                : Optional.empty();
    }
}
