package dev.tidemark.source.value;

import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.chrono.IsoEra;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** Text of PostgreSQL as JSON. Text that is not of the expected form remains text, so that nothing is lost. */
public final class Values {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 10, SignStyle.NEVER)
            .appendPattern("-MM-dd")
            .parseDefaulting(ChronoField.ERA, IsoEra.CE.getValue())
            .toFormatter();
    private static final DateTimeFormatter CLOCK = new DateTimeFormatterBuilder()
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter();
    private static final DateTimeFormatter ISO_LOCAL = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral('T')
            .append(CLOCK)
            .toFormatter();
    private static final DateTimeFormatter READ_LOCAL = new DateTimeFormatterBuilder()
            .append(DATE)
            .appendLiteral(' ')
            .append(CLOCK)
            .toFormatter();
    private static final DateTimeFormatter READ_ZONED = new DateTimeFormatterBuilder()
            .append(READ_LOCAL)
            .appendPattern("[XXXXX][XXX][X]")
            .toFormatter();
    private static final DateTimeFormatter READ_TIME_ZONED = new DateTimeFormatterBuilder()
            .append(CLOCK)
            .appendPattern("[XXXXX][XXX][X]")
            .toFormatter();
    private static final String BEFORE_CHRIST = " BC";

    private Values() {}

    /** JSON of a text. */
    public static JsonNode of(ColumnType type, String text) {
        try {
            return switch (type) {
                case NUMBER -> number(text);
                case BOOLEAN -> BooleanNode.valueOf(text.equals("t") || text.equals("true"));
                case JSON -> json(text);
                case DATE -> TextNode.valueOf(date(text));
                case TIME_WITH_ZONE -> TextNode.valueOf(of(OffsetTime.parse(text, READ_TIME_ZONED)));
                case TIMESTAMP -> TextNode.valueOf(timestamp(text));
                case INSTANT -> TextNode.valueOf(instant(text));
                case BYTES -> bytes(text);
                case HSTORE -> orText(new HstoreText(text).read());
                case TIME, TEXT -> TextNode.valueOf(text);
            };
        } catch (JsonProcessingException
                | BadJsonException
                | UncheckedIOException
                | DateTimeException
                | IllegalArgumentException e) {
            return TextNode.valueOf(text);
        }
    }

    /**
     * A document that fits into a row. Of a repeated name, the last value counts. What is written of it is read
     * again: a number can become longer, and an unpaired surrogate cannot be written.
     */
    private static JsonNode json(String text) throws JsonProcessingException, BadJsonException {
        return inRow(JSON.readValue(text, JsonNode.class));
    }

    private static JsonNode inRow(JsonNode value) throws BadJsonException {
        return RowJson.parse(RowJson.write(List.of(value))).path(0);
    }

    /** The value, or the text of its JSON where no row can hold it. */
    public static JsonNode orText(JsonNode value) {
        try {
            return inRow(value);
        } catch (BadJsonException e) {
            return TextNode.valueOf(value.toString());
        }
    }

    /** An exact number, or text where JSON, or a row, cannot hold it. */
    public static JsonNode number(String text) {
        boolean isNumber = !text.isEmpty() && Character.isDigit(text.charAt(text.length() - 1));
        return isNumber && text.length() <= RowJson.MAX_NUMBER_LENGTH
                ? DecimalNode.valueOf(new BigDecimal(text))
                : TextNode.valueOf(text);
    }

    /** Bytes as base64. */
    public static JsonNode bytes(byte[] bytes) {
        return TextNode.valueOf(Base64.getEncoder().encodeToString(bytes));
    }

    /** A local date and time in ISO 8601, without zeros at the end of the fraction. */
    public static String of(LocalDateTime time) {
        return ISO_LOCAL.format(time);
    }

    /** A time of day, or a span of hours, without zeros at the end of the fraction. */
    public static String of(Duration time) {
        Duration span = time.abs();
        String text = (time.isNegative() ? "-" : "")
                + "%02d:%02d:%02d".formatted(span.toHours(), span.toMinutesPart(), span.toSecondsPart());
        BigDecimal fraction = BigDecimal.valueOf(span.toNanosPart(), 9).stripTrailingZeros();
        return fraction.signum() == 0 ? text : text + fraction.toPlainString().substring(1);
    }

    /** A point in time in ISO 8601 and UTC. */
    public static String of(OffsetDateTime time) {
        return of(time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()) + "Z";
    }

    /** A time of day in UTC. */
    public static String of(OffsetTime time) {
        return CLOCK.format(time.withOffsetSameInstant(ZoneOffset.UTC)) + "Z";
    }

    /** An object of texts and nulls, as an {@code hstore} is; text where no row can hold it. */
    public static JsonNode of(Map<?, ?> pairs) {
        return orText(JSON.valueToTree(pairs));
    }

    /** Bits from the highest, of bytes that have the lowest first. */
    public static String bits(int length, byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (int bit = length - 1; bit >= 0; bit--) {
            boolean set = bit / 8 < bytes.length && (bytes[bit / 8] >> (bit % 8) & 1) == 1;
            text.append(set ? '1' : '0');
        }
        return text.toString();
    }

    private static JsonNode bytes(String text) {
        return bytes(HexFormat.of().parseHex(text.substring(2)));
    }

    private static String date(String text) {
        return isInfinite(text)
                ? text
                : withEra(LocalDate.parse(plain(text), DATE), text).toString();
    }

    private static String timestamp(String text) {
        if (isInfinite(text)) {
            return text;
        }
        LocalDateTime time = LocalDateTime.parse(plain(text), READ_LOCAL);
        return of(withEra(time.toLocalDate(), text).atTime(time.toLocalTime()));
    }

    private static String instant(String text) {
        if (isInfinite(text)) {
            return text;
        }
        OffsetDateTime time = OffsetDateTime.parse(plain(text), READ_ZONED);
        return of(withEra(time.toLocalDate(), text).atTime(time.toOffsetTime()));
    }

    private static boolean isInfinite(String text) {
        return text.endsWith("infinity");
    }

    private static String plain(String text) {
        return text.endsWith(BEFORE_CHRIST) ? text.substring(0, text.length() - BEFORE_CHRIST.length()) : text;
    }

    private static LocalDate withEra(LocalDate date, String text) {
        return text.endsWith(BEFORE_CHRIST) ? date.with(ChronoField.ERA, IsoEra.BCE.getValue()) : date;
    }
}
