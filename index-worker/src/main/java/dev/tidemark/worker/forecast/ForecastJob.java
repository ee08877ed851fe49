package dev.tidemark.worker.forecast;

import java.util.List;

import dev.tidemark.catalog.Catalog;

/**
 * A forecast request and its progress.
 *
 * @param id the number of the request; from 1, in the order of requests
 * @param wanted the catalog to forecast
 * @param bytes size of the catalog in the request
 * @param fraction the part of the rows to read
 */
public record ForecastJob(long id, Catalog wanted, long bytes, double fraction, State state) {

    /** The progress of a forecast. */
    public sealed interface State {}

    /** Others come first. */
    public record Waiting() implements State {}

    /**
     * A topic is being read.
     *
     * @param table whose
     * @param passed offsets passed
     * @param total offsets to be passed
     */
    public record Reading(String table, long passed, long total) implements State {}

    /** Nothing is left to do. */
    public record Done(List<TableForecast> tables) implements State {
        public Done {
            tables = List.copyOf(tables);
        }
    }

    /** The forecast failed; another request may succeed. */
    public record Failed(String reason) implements State {}

    ForecastJob in(State next) {
        return new ForecastJob(id, wanted, bytes, fraction, next);
    }

    boolean isWaiting() {
        return state instanceof Waiting;
    }

    boolean isOver() {
        return state instanceof Done || state instanceof Failed;
    }
}
