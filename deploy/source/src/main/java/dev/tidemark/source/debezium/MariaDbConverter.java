package dev.tidemark.source.debezium;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
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
 * Gives dates, times and JSON of MariaDB as text, and numbers of single precision as the server shows them. Debezium
 * makes of a date that is zero the first of January 1970 where the column is never null, and knows columns of JSON only
 * until it reads their tables again.
 */
public final class MariaDbConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {
    /** Setting with the columns of JSON, one a line. */
    static final String JSON_COLUMNS = "json.columns";

    /** The most bits that a FLOAT asks for. */
    private static final int MOST_BITS = 24;

    private static final MathContext SHOWN = new MathContext(6, RoundingMode.HALF_EVEN);

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
        } else if (isShownWithSixDigits(column)) {
            registration.register(SchemaBuilder.float32().optional(), MariaDbConverter::single);
        }
    }

    /** A FLOAT of more bits is a DOUBLE, and one with a scale is shown with all its digits. */
    private static boolean isShownWithSixDigits(RelationalColumn column) {
        return column.typeName().startsWith("FLOAT")
                && column.length().orElse(0) <= MOST_BITS
                && column.scale().isEmpty();
    }

    /** A snapshot has the digits that the server shows; the binary log has more. */
    private static @Nullable Object single(@Nullable Object raw) {
        return raw instanceof Number number
                ? new BigDecimal(number.doubleValue()).round(SHOWN).floatValue()
                : null;
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
