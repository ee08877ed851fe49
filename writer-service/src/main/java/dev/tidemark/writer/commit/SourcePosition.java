package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;

/**
 * How far the fact tables follow a source. It is stored in the batch that holds the rows up to it.
 *
 * @param position where the source goes on; its meaning is the source's own. Not to be changed
 * @param watermark what was committed in the source before this time is in the fact tables, or has been replaced there;
 *     by the commit clock of the writer. Empty while nothing is known
 * @param tables the fact tables that the watermark is about, each with the version of the definitions with which it
 *     began
 *     to follow the source: one that followed something else since has to be loaded again
 * @param restated the last version that a row of the source got although the source had not sent it: the writer itself
 *     has committed the row once more. What the source loads from an earlier version on cannot distinguish it from a
 *     row that came with the load
 */
public record SourcePosition(
        ObjectNode position, Optional<Instant> watermark, Map<String, Long> tables, RowVersion restated) {
    private static final String POSITION = "position";
    private static final String WATERMARK = "watermark";
    private static final String TABLES = "tables";
    private static final String RESTATED = "restated";

    /** Numbers are compared by their value: 1 and 1.0 are the same position. */
    private static final Comparator<JsonNode> AS_VALUES = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.equals(other) ? 0 : 1;

    public SourcePosition {
        tables = Map.copyOf(tables);
    }

    /** The same after the writer has committed rows once more. */
    SourcePosition restated(RowVersion through) {
        return new SourcePosition(position, watermark, tables, through);
    }

    /** Whether two positions are the same JSON value. */
    public static boolean isSame(JsonNode one, JsonNode other) {
        return one.equals(AS_VALUES, other);
    }

    /**
     * The watermark, where it is about that table.
     *
     * @param since the version of the definitions with which the table began to follow the source; 0 for none yet
     */
    public Optional<Instant> watermarkOf(String table, long since) {
        return since > 0 && tables.getOrDefault(table, 0L) == since ? watermark : Optional.empty();
    }

    /** As it is stored. */
    public byte[] toBytes() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.set(POSITION, position);
        watermark.ifPresent(time -> json.put(WATERMARK, time.toString()));
        ObjectNode covered = json.putObject(TABLES);
        new TreeMap<>(tables).forEach(covered::put);
        if (!restated.equals(RowVersion.NONE)) {
            json.put(RESTATED, restated.toString());
        }
        return RowJson.write(json);
    }

    /** The inverse of {@link #toBytes()}. */
    public static SourcePosition of(byte[] stored) {
        try {
            ObjectNode json = RowJson.parseEnvelope(stored);
            Map<String, Long> tables = new TreeMap<>();
            json.path(TABLES)
                    .properties()
                    .forEach(
                            table -> tables.put(table.getKey(), table.getValue().asLong()));
            return new SourcePosition(
                    (ObjectNode) json.required(POSITION),
                    Optional.ofNullable(json.path(WATERMARK).textValue()).map(Instant::parse),
                    tables,
                    Optional.ofNullable(json.path(RESTATED).textValue())
                            .map(RowVersion::parse)
                            .orElse(RowVersion.NONE));
        } catch (BadJsonException e) {
            throw new IllegalStateException("Expected the position of a source, but " + e.getMessage(), e);
        }
    }
}
