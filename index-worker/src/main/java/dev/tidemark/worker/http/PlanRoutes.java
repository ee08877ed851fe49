package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.catalog.SourceChange;
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
import dev.tidemark.worker.forecast.IndexForecast;
import dev.tidemark.worker.forecast.TableForecast;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.seconds;

/** {@code POST /v1/plan} starts a forecast. {@code GET /v1/plan/{id}} returns its progress and its result. */
public record PlanRoutes(ForecastJobs jobs, Supplier<Definitions> definitions) {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final double USUAL_PERCENT = 10;

    List<Route> routes() {
        return List.of(
                Route.post("/v1/plan", Permission.ADMIN, this::ask)
                        .reading("sample")
                        .taking(BodyRule.of(CatalogReader.MAX_SIZE, "application/yaml", "application/json")),
                Route.get("/v1/plan/{id}", Permission.ADMIN, this::tell));
    }

    private void ask(Call call) {
        double percent = percent(call);
        call.reserve(CatalogReader.HEAP_BYTES_A_BYTE * call.body().length);
        Catalog wanted = catalog(call);
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
                        "expected at most " + ForecastJobs.MOST_WAITING + " forecasts to wait, and that number wait",
                        RETRY_AFTER)));
        call.status(202).header("Location", "/v1/plan/" + forecastJob.id()).result(RowJson.write(json(forecastJob)));
    }

    private void tell(Call call) {
        String id = call.pathParam("id");
        ForecastJob forecastJob = Optional.of(id)
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(Long::valueOf)
                .flatMap(jobs::find)
                .orElseThrow(() -> new ProblemException(Problem.notFound("expected the number of a forecast that this "
                        + "worker was asked for lately, but got " + id)));
        call.result(RowJson.write(RowRedactor.of(call).inPlan(json(forecastJob))));
    }

    /** A forecast. */
    private ObjectNode json(ForecastJob forecastJob) {
        ObjectNode json = object().put("id", String.valueOf(forecastJob.id()));
        json.put("samplePercent", forecastJob.fraction() * 100);
        definitions.get().diff(forecastJob.wanted()).stream()
                .filter(change -> change instanceof IndexChange.Drop)
                .map(change -> change.index().qualifiedName())
                .forEach(json.putArray("drops")::add);
        List<SourceChange> sources = definitions.get().sourceChanges(forecastJob.wanted());
        if (!sources.isEmpty()) {
            json.set("sources", DefinitionJson.of(sources));
        }
        ForecastJob.State state = forecastJob.state();
        if (state instanceof ForecastJob.Waiting) {
            json.put("state", "waiting");
        } else if (state instanceof ForecastJob.Reading reading) {
            json.put("state", "running")
                    .putObject("progress")
                    .put("table", reading.table())
                    .put("offsetsDone", reading.passed())
                    .put("offsetsTotal", reading.total());
        } else if (state instanceof ForecastJob.Failed failed) {
            json.put("state", "failed").put("reason", failed.reason());
        } else if (state instanceof ForecastJob.Done done) {
            ArrayNode tables = json.put("state", "done").putArray("tables");
            done.tables().forEach(table -> add(tables.addObject(), table));
        }
        return json;
    }

    private static void add(ObjectNode json, TableForecast table) {
        json.put("table", table.table()).put("rows", table.rows()).put("basis", table.basis());
        json.put("lookedAtPercent", table.fraction() * 100).put("unreadable", table.unreadable());
        ArrayNode indexes = json.putArray("indexes");
        table.indexes().forEach(index -> add(indexes.addObject(), index));
    }

    private static void add(ObjectNode json, IndexForecast forecast) {
        json.put("index", forecast.change().index().name());
        json.put("action", forecast.change().action());
        json.put("entries", forecast.entries()).put("entriesPerRow", forecast.entriesPerRow());
        json.put("keyBytes", forecast.keyBytes()).put("carriedBytes", forecast.carriedBytes());
        json.put("diskBytes", forecast.diskBytes()).put("diskRatio", forecast.diskRatio());
        json.put("buildSeconds", seconds(forecast.build()));
        json.put("applySecondsPerChange", seconds(forecast.applyPerChange()));
        forecast.placements()
                .ifPresent(placements -> json.set("placements", RowJson.mapper().valueToTree(placements)));
        json.put("refused", forecast.refused());
        // Their members are those of the records.
        json.set("hottest", RowJson.mapper().valueToTree(forecast.hottest()));
        json.set("refusedRows", RowJson.mapper().valueToTree(forecast.examples()));
    }

    private static Catalog catalog(Call call) {
        try {
            return Requests.isJson(call)
                    ? CatalogReader.readJson("catalog", call.body())
                    : CatalogReader.read("catalog", call.body());
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
