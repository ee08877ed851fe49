package dev.tidemark.catalog;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/**
 * Definitions as JSON: as they are stored, as they travel in {@link DefinitionsTopic}, and as HTTP gives them. Tables
 * and indexes are in the shape of the catalog file, with {@code generation}, {@code paused} and {@code previous} beside
 * the key of an index, and {@code pausedSince} beside that of a table that is paused, {@code sourceSince} beside that
 * of a table that follows a source. {@code format} is the number of the format. Definitions without it are of format 1.
 * Those with a table that follows a source are of format 2, because an older worker would take times of its changes for
 * its watermark. Those with a global index are of format 3, because an older worker would take it for a local one.
 * Those with a salt are of format 4, because an older worker would look for entries in the wrong partitions, and so are
 * those of a table that has grown or shrunk: its {@code partitions} are those that it is to have, {@code began} those
 * that it began with, and {@code layout} is that of the table, and that of each generation in one.
 */
public final class DefinitionsJson {
    private static final long PLAIN_FORMAT = 1;
    private static final long SOURCE_FORMAT = 2;
    private static final long GLOBAL_FORMAT = 3;
    private static final long FORMAT = 4;
    private static final String FORMAT_NAME = "format";
    private static final String DEPLOYMENT = "deployment";
    private static final String GENERATION = "generation";
    private static final String PAUSED = "paused";
    private static final String PAUSED_SINCE = "pausedSince";
    private static final String SOURCE = "source";
    private static final String SOURCE_SINCE = "sourceSince";
    private static final String PREVIOUS = "previous";
    private static final String PARTITIONS = "partitions";
    private static final String BEGAN = "began";
    private static final String LAYOUT = "layout";

    private DefinitionsJson() {}

    public static byte[] write(Definitions definitions) {
        return RowJson.write(json(definitions));
    }

    /** The JSON that {@link #write(Definitions)} writes. */
    public static ObjectNode json(Definitions definitions) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put(FORMAT_NAME, format(definitions));
        json.put("version", definitions.version());
        json.put("at", definitions.at().toString());
        json.put("nextGeneration", definitions.nextGeneration());
        if (!definitions.deployment().isEmpty()) {
            json.put(DEPLOYMENT, definitions.deployment());
        }
        ObjectNode tables = json.putObject("tables");
        definitions.tables().forEach(table -> tables.set(table.name(), json(table)));
        return json;
    }

    private static long format(Definitions definitions) {
        if (definitions.tables().stream().anyMatch(table -> isLaidOut(table) || isSalted(table))) {
            return FORMAT;
        }
        if (!definitions.hasNoDerived()) {
            return GLOBAL_FORMAT;
        }
        boolean plain = definitions.tables().stream()
                .allMatch(table -> table.definition().source().isEmpty());
        return plain ? PLAIN_FORMAT : SOURCE_FORMAT;
    }

    /**
     * The inverse of {@link #write(Definitions)}. Conditions come back in the order in which they were written, which
     * need not be that of the catalog file.
     *
     * @throws BadDefinitionsException when the bytes are no definitions, or of a newer format
     */
    public static Definitions read(byte[] json) throws BadDefinitionsException {
        try {
            ObjectNode root = RowJson.parseEnvelope(json);
            requireFormat(root);
            JsonNode tables = root.path("tables");
            Catalog current = catalog(tables, index -> index);
            Catalog previous = catalog(tables, index -> index.path(PREVIOUS));
            List<DesiredTable> plans = new ArrayList<>();
            for (TableDefinition table : current.tables()) {
                JsonNode indexes = tables.path(table.name()).path("indexes");
                List<DesiredIndex> read = new ArrayList<>();
                for (IndexDefinition index : table.indexes()) {
                    read.add(plan(index, indexes.path(index.name()), previous));
                }
                Optional<Instant> pausedSince = Optional.ofNullable(
                                tables.path(table.name()).path(PAUSED_SINCE).textValue())
                        .map(Instant::parse);
                long sourceSince = table.source().isPresent() ? number(tables.path(table.name()), SOURCE_SINCE) : 0;
                Optional<Layout> layout = layout(tables.path(table.name()));
                int began = tables.path(table.name()).path(BEGAN).asInt(table.partitions());
                plans.add(new DesiredTable(table.with(began), read, pausedSince, sourceSince, layout));
            }
            Instant at = Instant.parse(root.path("at").asText());
            String deployment = root.path(DEPLOYMENT).asText("");
            return new Definitions(number(root, "version"), at, plans, number(root, "nextGeneration"), deployment);
        } catch (BadJsonException | CatalogException | DateTimeException | IllegalArgumentException e) {
            throw new BadDefinitionsException("expected definitions as JSON, but " + e.getMessage());
        }
    }

    private static void requireFormat(ObjectNode root) throws BadDefinitionsException {
        long format = root.has(FORMAT_NAME) ? number(root, FORMAT_NAME) : PLAIN_FORMAT;
        if (format < PLAIN_FORMAT || format > FORMAT) {
            throw new BadDefinitionsException("expected definitions of format " + PLAIN_FORMAT + " to " + FORMAT
                    + ", but these have format "
                    + root.path(FORMAT_NAME) + ": a newer version of Tidemark wrote them. Run that version");
        }
    }

    /**
     * The same definitions as everybody reads them who gets the JSON.
     *
     * @throws BadDefinitionsException when they cannot be read back, because they are too large
     */
    public static Definitions canonical(Definitions definitions) throws BadDefinitionsException {
        return read(write(definitions));
    }

    private static boolean isSalted(DesiredTable table) {
        return table.generations().stream()
                .anyMatch(generation -> generation.definition().salt() > 1);
    }

    private static boolean isLaidOut(DesiredTable table) {
        return table.layout().isPresent()
                || table.generations().stream()
                        .anyMatch(generation -> generation.layout().isPresent());
    }

    private static Optional<Layout> layout(JsonNode holder) {
        JsonNode json = holder.path(LAYOUT);
        return json.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Layout(number(json, "number"), (int) number(json, PARTITIONS)));
    }

    private static void put(Optional<Layout> layout, ObjectNode holder) {
        layout.ifPresent(
                one -> holder.putObject(LAYOUT).put("number", one.number()).put(PARTITIONS, one.partitions()));
    }

    private static ObjectNode json(DesiredTable table) {
        ObjectNode json = DefinitionJson.of(table.wanted());
        json.remove("name");
        if (isLaidOut(table)) {
            json.put(BEGAN, table.definition().partitions());
        }
        put(table.layout(), json);
        table.pausedSince().ifPresent(since -> json.put(PAUSED_SINCE, since.toString()));
        if (table.definition().source().isPresent()) {
            json.put(SOURCE_SINCE, table.sourceSince());
        }
        ObjectNode indexes = json.putObject("indexes");
        for (DesiredIndex plan : table.indexes()) {
            ObjectNode index = json(plan.current());
            index.put(PAUSED, plan.paused());
            plan.previous().ifPresent(previous -> index.set(PREVIOUS, json(previous)));
            indexes.set(plan.name(), index);
        }
        return json;
    }

    private static ObjectNode json(Generation generation) {
        ObjectNode json = DefinitionJson.of(generation.definition());
        json.put(GENERATION, generation.id());
        put(generation.layout(), json);
        return json;
    }

    private static DesiredIndex plan(IndexDefinition index, JsonNode json, Catalog previous) {
        Optional<Generation> old = previous.table(index.table())
                .flatMap(table -> table.index(index.name()))
                .map(definition -> new Generation(
                        number(json.path(PREVIOUS), GENERATION), definition, layout(json.path(PREVIOUS))));
        return new DesiredIndex(
                new Generation(number(json, GENERATION), index, layout(json)),
                old,
                json.path(PAUSED).asBoolean());
    }

    /** The tables as a catalog file has them, of each index the part that is chosen, and without those that lack it. */
    private static Catalog catalog(JsonNode tables, UnaryOperator<JsonNode> part) throws CatalogException {
        ObjectNode root = RowJson.mapper().createObjectNode();
        ObjectNode all = root.putObject("tables");
        for (Map.Entry<String, JsonNode> table : tables.properties()) {
            ObjectNode copy = all.putObject(table.getKey());
            copy.set("primaryKey", table.getValue().path("primaryKey"));
            copy.set(PARTITIONS, table.getValue().path(PARTITIONS));
            if (table.getValue().has(SOURCE)) {
                copy.set(SOURCE, table.getValue().path(SOURCE));
            }
            ObjectNode indexes = copy.putObject("indexes");
            for (Map.Entry<String, JsonNode> index :
                    table.getValue().path("indexes").properties()) {
                if (part.apply(index.getValue()) instanceof ObjectNode chosen) {
                    indexes.set(index.getKey(), inFileShape(chosen));
                }
            }
        }
        return CatalogReader.readAccepted("definitions", root);
    }

    private static ObjectNode inFileShape(ObjectNode index) {
        ObjectNode shape = index.deepCopy().retain("key", "projection", "where", "scope", PARTITIONS, "salt");
        if (shape.path("where").isEmpty()) {
            shape.remove("where");
        }
        return shape;
    }

    private static long number(JsonNode json, String name) {
        JsonNode number = json.path(name);
        if (!number.canConvertToLong() || !number.isIntegralNumber()) {
            throw new IllegalArgumentException("expected a whole number as " + name + ", but got " + number);
        }
        return number.longValue();
    }
}
