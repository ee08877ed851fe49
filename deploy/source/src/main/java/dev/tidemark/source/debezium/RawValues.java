package dev.tidemark.source.debezium;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Date;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.debezium.connector.postgresql.PostgresValueConverter;
import io.debezium.connector.postgresql.UnchangedToastedReplicationMessageColumn;
import io.debezium.data.SpecialValueDecimal;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;
import org.postgresql.jdbc.PgArray;
import org.postgresql.jdbc.PgSQLXML;
import org.postgresql.util.PGInterval;

import dev.tidemark.source.value.ArrayText;
import dev.tidemark.source.value.ColumnType;
import dev.tidemark.source.value.Values;

/**
 * Values as Debezium reads them: objects of the JDBC driver in a snapshot, others in the stream.
 *
 * @param array whether the column is an array, of elements of that type
 */
record RawValues(ColumnType type, boolean array) {
    private static final String INFINITY = "infinity";
    private static final String NEGATIVE_INFINITY = "-infinity";

    static RawValues of(ColumnType type) {
        return new RawValues(type, false);
    }

    static RawValues ofArray(ColumnType elements) {
        return new RawValues(elements, true);
    }

    /** The text of a value's JSON; null for SQL's null. */
    @Nullable
    Object json(@Nullable Object raw) {
        if (raw == null) {
            return null;
        }
        return UnchangedToastedReplicationMessageColumn.isUnchangedToastedValue(raw)
                ? ValueConverter.UNCHANGED
                : node(raw).toString();
    }

    private JsonNode node(Object raw) {
        if (raw instanceof PgArray && array) {
            return ArrayText.read(raw.toString(), type);
        }
        if (raw instanceof Map<?, ?> pairs) {
            return Values.of(pairs);
        }
        if (raw instanceof SpecialValueDecimal decimal) {
            return Values.number(text(decimal));
        }
        if (raw instanceof byte[] || raw instanceof ByteBuffer || raw instanceof Number || raw instanceof Boolean) {
            return SchemaValues.plain(raw);
        }
        return raw instanceof String text ? Values.of(array ? ColumnType.TEXT : type, text) : other(raw);
    }

    private JsonNode other(Object raw) {
        if (raw instanceof Date date) {
            return TextNode.valueOf(text(date));
        }
        if (raw instanceof LocalDate date) {
            return TextNode.valueOf(text(date));
        }
        if (raw instanceof Instant time) {
            return TextNode.valueOf(text(time));
        }
        if (raw instanceof OffsetDateTime time) {
            return TextNode.valueOf(text(time));
        }
        if (raw instanceof OffsetTime time) {
            return TextNode.valueOf(Values.of(time));
        }
        if (raw instanceof PGInterval interval) {
            return TextNode.valueOf(text(interval));
        }
        if (raw instanceof PgSQLXML xml) {
            return TextNode.valueOf(text(xml));
        }
        return Values.of(array ? ColumnType.TEXT : type, raw.toString());
    }

    private static String text(SpecialValueDecimal decimal) {
        return decimal.getDecimalValue()
                .map(BigDecimal::toPlainString)
                .orElseGet(() -> String.valueOf(decimal.toDouble()));
    }

    /** The fields that the driver has put in, which counts days as Julian before 1582 as its calendar does. */
    private static String text(Date date) {
        if (date.getTime() == PGStatement.DATE_POSITIVE_INFINITY) {
            return INFINITY;
        }
        if (date.getTime() == PGStatement.DATE_NEGATIVE_INFINITY) {
            return NEGATIVE_INFINITY;
        }
        Calendar fields = new GregorianCalendar();
        fields.setTimeInMillis(date.getTime());
        int year = fields.get(Calendar.YEAR);
        boolean before = fields.get(Calendar.ERA) == GregorianCalendar.BC;
        return LocalDate.of(before ? 1 - year : year, fields.get(Calendar.MONTH) + 1, fields.get(Calendar.DAY_OF_MONTH))
                .toString();
    }

    private static String text(LocalDate date) {
        if (PostgresValueConverter.POSITIVE_INFINITY_LOCAL_DATE.equals(date)) {
            return INFINITY;
        }
        return PostgresValueConverter.NEGATIVE_INFINITY_LOCAL_DATE.equals(date) ? NEGATIVE_INFINITY : date.toString();
    }

    private static String text(Instant time) {
        if (PostgresValueConverter.POSITIVE_INFINITY_INSTANT.equals(time)) {
            return INFINITY;
        }
        return PostgresValueConverter.NEGATIVE_INFINITY_INSTANT.equals(time)
                ? NEGATIVE_INFINITY
                : Values.of(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
    }

    private static String text(OffsetDateTime time) {
        if (PostgresValueConverter.POSITIVE_INFINITY_OFFSET_DATE_TIME.equals(time)) {
            return INFINITY;
        }
        return PostgresValueConverter.NEGATIVE_INFINITY_OFFSET_DATE_TIME.equals(time)
                ? NEGATIVE_INFINITY
                : Values.of(time);
    }

    /** ISO 8601, with all parts. */
    private static String text(PGInterval interval) {
        BigDecimal seconds = BigDecimal.valueOf(interval.getMicroSeconds(), 6)
                .add(BigDecimal.valueOf(interval.getWholeSeconds()))
                .stripTrailingZeros();
        return "P" + interval.getYears() + "Y" + interval.getMonths() + "M" + interval.getDays() + "DT"
                + interval.getHours() + "H" + interval.getMinutes() + "M" + seconds.toPlainString() + "S";
    }

    private static String text(PgSQLXML xml) {
        try {
            return xml.getString();
        } catch (Exception e) {
            throw new IllegalStateException("Expected a text of XML", e);
        }
    }
}
