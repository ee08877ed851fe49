package dev.tidemark.row;

import java.io.IOException;
import java.io.UncheckedIOException;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Reads and writes JSON the way a row needs it: numbers exact, a repeated key refused, nothing after the value, and
 * limits on depth and sizes so that no input can exhaust the process.
 */
public final class RowJson {
    /** Deepest nesting of objects and arrays. */
    public static final int MAX_DEPTH = 64;

    /** Most digits of one number. */
    public static final int MAX_NUMBER_LENGTH = 400;

    private static final int MAX_NAME_LENGTH = 1_024;
    private static final int MAX_STRING_LENGTH = 16 * 1024 * 1024;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(MAX_NUMBER_LENGTH)
                            .maxNameLength(MAX_NAME_LENGTH)
                            .maxStringLength(MAX_STRING_LENGTH)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private RowJson() {}

    /** The mapper with these limits, for JSON that is not a row (a key, a request, an answer). */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /**
     * Reads one JSON object and nothing else.
     *
     * @throws BadJsonException when the bytes are not one JSON object, repeat a key, or go beyond a limit
     */
    public static ObjectNode parseObject(byte[] json) throws BadJsonException {
        JsonNode node = parse(json);
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new BadJsonException("expected a JSON object, but got " + describe(node));
    }

    /**
     * Reads one JSON value and nothing else.
     *
     * @throws BadJsonException as {@link #parseObject(byte[])}
     */
    public static JsonNode parse(byte[] json) throws BadJsonException {
        try (JsonParser parser = MAPPER.createParser(json)) {
            JsonNode node = MAPPER.readTree(parser);
            if (node == null || node.isMissingNode()) {
                throw new BadJsonException("expected a JSON value, but got nothing");
            }
            if (parser.nextToken() != null) {
                throw new BadJsonException("expected one JSON value, but more follows it");
            }
            return node;
        } catch (StreamConstraintsException e) {
            throw new BadJsonException("expected JSON within the limits, but " + e.getOriginalMessage());
        } catch (JsonProcessingException e) {
            throw new BadJsonException("expected JSON, but " + e.getOriginalMessage() + where(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compact UTF-8. */
    public static byte[] write(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A word for the kind of a node, for messages. */
    public static String describe(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "an array";
            case OBJECT -> "an object";
            case STRING -> "the string " + node;
            case NUMBER -> "the number " + node;
            case BOOLEAN -> node.toString();
            case NULL -> "null";
            case MISSING -> "nothing";
            case BINARY, POJO -> "binary data";
        };
    }

    private static String where(JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }
}
