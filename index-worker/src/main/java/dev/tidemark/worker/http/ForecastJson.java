package dev.tidemark.worker.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.forecast.ForecastJob;
import dev.tidemark.worker.forecast.IndexForecast;
import dev.tidemark.worker.forecast.TableForecast;

import static dev.tidemark.worker.http.JsonValues.seconds;

/** Rehearsals as JSON. */
final class ForecastJson {
    private ForecastJson() {}

    /**
     * A rehearsal.
     *
     * @param present the definitions in force, for the changes it is about
     */
    static ObjectNode of(ForecastJob forecastJob, Definitions present) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("id", String.valueOf(forecastJob.id()));
        json.put("samplePercent", forecastJob.fraction() * 100);
        ArrayNode drops = json.putArray("drops");
        for (IndexChange change : present.diff(forecastJob.wanted())) {
            if (change instanceof IndexChange.Drop) {
                drops.add(change.index().qualifiedName());
            }
        }
        add(json, forecastJob.state());
        return json;
    }

    private static void add(ObjectNode json, ForecastJob.State state) {
        if (state instanceof ForecastJob.Waiting) {
            json.put("state", "waiting");
        } else if (state instanceof ForecastJob.Reading reading) {
            json.put("state", "running");
            json.putObject("progress")
                    .put("table", reading.table())
                    .put("offsetsDone", reading.passed())
                    .put("offsetsTotal", reading.total());
        } else if (state instanceof ForecastJob.Failed failed) {
            json.put("state", "failed").put("reason", failed.reason());
        } else if (state instanceof ForecastJob.Done done) {
            json.put("state", "done");
            ArrayNode tables = json.putArray("tables");
            done.tables().forEach(table -> tables.add(of(table)));
        }
    }

    private static ObjectNode of(TableForecast table) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("table", table.table()).put("rows", table.rows());
        json.put("lookedAtPercent", table.fraction() * 100).put("unreadable", table.unreadable());
        json.put("basis", table.basis());
        ArrayNode indexes = json.putArray("indexes");
        table.indexes().forEach(index -> indexes.add(of(index)));
        return json;
    }

    private static ObjectNode of(IndexForecast forecast) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("index", forecast.change().index().name());
        json.put("action", forecast.change().action());
        json.put("entries", forecast.entries()).put("entriesPerRow", forecast.entriesPerRow());
        json.put("keyBytes", forecast.keyBytes()).put("carriedBytes", forecast.carriedBytes());
        json.put("diskBytes", forecast.diskBytes()).put("diskRatio", forecast.diskRatio());
        json.put("buildSeconds", seconds(forecast.build()));
        json.put("applySecondsPerChange", seconds(forecast.applyPerChange()));
        // Their members are those of the records.
        json.set("hottest", RowJson.mapper().valueToTree(forecast.hottest()));
        json.put("refused", forecast.refused());
        json.set("refusedRows", RowJson.mapper().valueToTree(forecast.examples()));
        return json;
    }
}
