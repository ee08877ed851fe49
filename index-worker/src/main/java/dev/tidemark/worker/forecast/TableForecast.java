package dev.tidemark.worker.forecast;

import java.util.List;

/**
 * The forecast of the wanted indexes of a table.
 *
 * @param table its name
 * @param rows the number of its rows, estimated from the sample
 * @param fraction the part of the rows that was read in the end
 * @param unreadable sampled records that could not be read
 * @param basis what times are forecast from, as text for operators
 * @param indexes the indexes that would be built
 */
public record TableForecast(
        String table, long rows, double fraction, long unreadable, String basis, List<IndexForecast> indexes) {
    public TableForecast {
        indexes = List.copyOf(indexes);
    }

    /** Bytes of the keys that it names. */
    long bytes() {
        return indexes.stream().mapToLong(IndexForecast::bytes).sum();
    }
}
