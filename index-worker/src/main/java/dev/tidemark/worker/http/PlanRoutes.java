package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.http.BodyRule;
import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.forecast.ForecastJob;
import dev.tidemark.worker.forecast.ForecastJobs;

/** {@code POST /v1/plan} starts a forecast. {@code GET /v1/plan/{id}} returns its progress and its result. */
public record PlanRoutes(ForecastJobs jobs, Supplier<Definitions> definitions) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final double USUAL_PERCENT = 10;

    List<Route> routes() {
        return List.of(
                Route.post("/v1/plan", Permission.ADMIN, this::ask)
                        .taking(BodyRule.of(CatalogReader.MAX_SIZE, "application/yaml", "application/json")),
                Route.get("/v1/plan/{id}", Permission.ADMIN, this::tell));
    }

    private void ask(Call call) {
        double percent = percent(call);
        call.reserve(CatalogReader.HEAP_BYTES_A_BYTE * call.body().length);
        Catalog wanted = catalog(call.body());
        List<String> foreign = definitions.get().foreign(wanted);
        if (!foreign.isEmpty()) {
            throw new ProblemException(new Problem(
                    409,
                    "Conflict",
                    "expected a catalog with the tables that are in force, and other indexes only",
                    foreign,
                    Optional.empty()));
        }
        ForecastJob forecastJob = jobs.ask(wanted, call.body().length, percent / 100)
                .orElseThrow(() -> new ProblemException(Problem.retryable(
                        429,
                        "Too many requests",
                        "expected at most " + ForecastJobs.MOST_WAITING + " rehearsals to wait, but so many do",
                        RETRY_AFTER)));
        call.status(202)
                .header("Location", "/v1/plan/" + forecastJob.id())
                .result(RowJson.write(ForecastJson.of(forecastJob, definitions.get())));
    }

    private void tell(Call call) {
        String id = call.pathParam("id");
        ForecastJob forecastJob = Optional.of(id)
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::valueOf)
                .flatMap(jobs::find)
                .orElseThrow(() -> new ProblemException(Problem.notFound("expected the number of a rehearsal that this "
                        + "worker was asked for lately, but got " + id)));
        ObjectNode json = ForecastJson.of(forecastJob, definitions.get());
        call.result(RowJson.write(RowRedactor.of(call).inPlan(json)));
    }

    private static Catalog catalog(byte[] body) {
        try {
            return CatalogReader.read("catalog", body);
        } catch (CatalogException e) {
            throw new ProblemException(new Problem(
                    400, "Bad request", "expected a catalog, but it has problems", e.problems(), Optional.empty()));
        }
    }

    private static double percent(Call call) {
        Optional<String> text = Requests.parameter(call, "sample");
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
}
