package dev.tidemark.worker.forecast;

import java.util.List;

/**
 * What the wanted indexes of a table would be like.
 *
 * @param table its name
 * @param rows how many it has, estimated from the sample
 * @param fraction the part of the rows that was looked at in the end
 * @param unreadable sampled records that could not be read
 * @param basis what times are forecast from, for people
 * @param indexes those that would be built
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
