package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.http.Need;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.plan.Rehearsal;
import dev.tidemark.worker.plan.RehearsalDesk;

/** {@code POST /v1/plan} begins a rehearsal, {@code GET /v1/plan/{id}} tells how far it is and what came of it. */
public final class PlanRoutes {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final double USUAL_PERCENT = 10;

    private final RehearsalDesk desk;
    private final Supplier<Definitions> definitions;

    public PlanRoutes(RehearsalDesk desk, Supplier<Definitions> definitions) {
        this.desk = desk;
        this.definitions = definitions;
    }

    void addTo(RoutesConfig routes) {
        routes.post("/v1/plan", this::ask, Need.ADMIN);
        routes.get("/v1/plan/{id}", this::tell, Need.ADMIN);
    }

    private void ask(Context context) {
        Requests.requireType(context, "application/yaml", "application/json");
        double percent = percent(context);
        Catalog wanted = catalog(Requests.body(context, CatalogReader.MAX_SIZE));
        List<String> foreign = definitions.get().foreign(wanted);
        if (!foreign.isEmpty()) {
            throw new ProblemException(new Problem(
                    409,
                    "Conflict",
                    "expected a catalog with the tables that are in force, and other indexes only",
                    foreign,
                    Optional.empty()));
        }
        Rehearsal rehearsal = desk.ask(wanted, percent / 100)
                .orElseThrow(() -> new ProblemException(Problem.retryable(
                        429,
                        "Too many requests",
                        "expected at most " + RehearsalDesk.MOST_WAITING + " rehearsals to wait, but so many do",
                        RETRY_AFTER)));
        context.status(202)
                .header("Location", "/v1/plan/" + rehearsal.id())
                .result(RowJson.write(RehearsalJson.of(rehearsal, definitions.get())));
    }

    private void tell(Context context) {
        String id = context.pathParam("id");
        Rehearsal rehearsal = Optional.ofNullable(number(id))
                .flatMap(desk::find)
                .orElseThrow(() -> new ProblemException(Problem.notFound("expected the number of a rehearsal that this "
                        + "worker was asked for lately, but got " + id)));
        context.result(RowJson.write(RehearsalJson.of(rehearsal, definitions.get())));
    }

    private static Catalog catalog(byte[] body) {
        try {
            return CatalogReader.read("catalog", new String(body, StandardCharsets.UTF_8));
        } catch (CatalogException e) {
            throw new ProblemException(new Problem(
                    400, "Bad request", "expected a catalog, but it has problems", e.problems(), Optional.empty()));
        }
    }

    private static double percent(Context context) {
        Optional<String> text = Requests.parameter(context, "sample");
        double percent = text.map(PlanRoutes::parsed).orElse(USUAL_PERCENT);
        if (!(percent > 0 && percent <= 100)) {
            throw new ProblemException(Problem.badRequest(
                    "expected parameter sample to be a number of percent above 0 and at most 100, but got "
                            + text.orElse("")));
        }
        return percent;
    }

    private static double parsed(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static @Nullable Long number(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
