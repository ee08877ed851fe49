package dev.tidemark.source.debezium;

import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Properties;
import java.util.Set;

import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

import dev.tidemark.source.value.ColumnType;
import dev.tidemark.source.value.Values;

/**
 * Gives dates, times and JSON of MariaDB as text. Debezium makes of a date that is zero the first of January 1970 where
 * the column is never null, and knows columns of JSON only until it reads their tables again.
 */
public final class MariaDbConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {
    /** Setting with the columns of JSON, one a line. */
    static final String JSON_COLUMNS = "json.columns";

    private Set<String> jsonColumns = Set.of();

    @Override
    public void configure(Properties properties) {
        jsonColumns = Set.of(properties.getProperty(JSON_COLUMNS, "").split("\n", -1));
    }

    @Override
    public void converterFor(RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
        if (column.typeName().equals("JSON") || jsonColumns.contains(column.dataCollection() + "." + column.name())) {
            registration.register(SchemaBuilder.string().optional().name(SchemaValues.JSON), MariaDbConverter::json);
        } else if (Set.of("DATE", "DATETIME").contains(column.typeName())) {
            registration.register(SchemaBuilder.string().optional(), MariaDbConverter::local);
        } else if (column.typeName().equals("TIMESTAMP")) {
            registration.register(SchemaBuilder.string().optional(), MariaDbConverter::instant);
        } else if (column.typeName().equals("YEAR")) {
            registration.register(SchemaBuilder.string().optional().name(SchemaValues.JSON), MariaDbConverter::year);
        }
    }

    private static @Nullable Object json(@Nullable Object raw) {
        if (raw == null) {
            return null;
        }
        String text = raw instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : raw.toString();
        return Values.of(ColumnType.JSON, text).toString();
    }

    /** The binary log has the years since 1900; of year 0 it has 0, too. */
    private static @Nullable Object year(@Nullable Object raw) {
        return raw == null ? null : raw.toString().equals("1900") ? "0" : raw.toString();
    }

    /** Without a zone; null also for a date of zeros. */
    private static @Nullable Object local(@Nullable Object raw) {
        if (raw instanceof Timestamp time) {
            return Values.of(time.toLocalDateTime());
        }
        return raw instanceof LocalDateTime time ? Values.of(time) : raw == null ? null : raw.toString();
    }

    /** In UTC; null also for a date of zeros. */
    private static @Nullable Object instant(@Nullable Object raw) {
        if (raw instanceof Timestamp time) {
            return Values.of(time.toInstant().atOffset(ZoneOffset.UTC));
        }
        if (raw instanceof ZonedDateTime time) {
            return Values.of(time.toOffsetDateTime());
        }
        return raw instanceof OffsetDateTime time ? Values.of(time) : raw == null ? null : raw.toString();
    }
}
