package dev.tidemark.worker.forecast;

import java.util.List;

import dev.tidemark.catalog.Catalog;

/**
 * A rehearsal and how far it is.
 *
 * @param id by which it can be asked for; from 1, in the order of asking
 * @param wanted the catalog that is rehearsed
 * @param bytes of the catalog as it was sent
 * @param fraction the part of the rows to look at
 */
public record ForecastJob(long id, Catalog wanted, long bytes, double fraction, State state) {

    /** How far a rehearsal is. */
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

    /** It was given up; asking again may help. */
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
