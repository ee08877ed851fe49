package dev.tidemark.row;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.cfg.MutableConfigOverride;
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

    /** Most values, names and brackets of one row: a tree takes room for each of them, however short they are. */
    public static final int MAX_TOKENS = 250_000;

    /**
     * Most digits of a number that is read where rows were written: earlier versions wrote some that are a little
     * longer.
     */
    static final int ENVELOPE_NUMBER_LENGTH = MAX_NUMBER_LENGTH + 20;

    private static final int MAX_NAME_LENGTH = 1_024;
    private static final int MAX_STRING_LENGTH = 16 * 1024 * 1024;

    private static final int ENVELOPE_DEPTH = 8;
    private static final int MAX_DESCRIBED = 60;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private static final JsonMapper ROWS = mapper(
            limits().maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxTokenCount(MAX_TOKENS),
            true);
    private static final JsonMapper ENVELOPES = mapper(limits().maxNumberLength(ENVELOPE_NUMBER_LENGTH), true);

    /** For rows of our own: what was stored must be readable, by whichever limits it was accepted. */
    private static final JsonMapper TRUSTING =
            mapper(limits().maxNumberLength(Integer.MAX_VALUE).maxNameLength(Integer.MAX_VALUE), false);

    /** For rows that may have been refused, within the limits of {@link #ENVELOPES}. */
    private static final JsonMapper LENIENT = mapper(limits().maxNumberLength(ENVELOPE_NUMBER_LENGTH), false);

    private RowJson() {}

    /**
     * The mapper with these limits and some more depth, for JSON that may hold rows (a request, an answer, an event).
     * What it reads has not been checked for unpaired surrogates.
     */
    public static JsonMapper mapper() {
        return ENVELOPES;
    }

    /**
     * Reads one JSON object and nothing else.
     *
     * @throws BadJsonException when the bytes are not one JSON object, repeat a key, or go beyond a limit
     */
    public static ObjectNode parseObject(byte[] json) throws BadJsonException {
        return object(parse(json));
    }

    /**
     * Reads one JSON object that may hold rows, each as deep as a row may be.
     *
     * @throws BadJsonException as {@link #parseObject(byte[])}
     */
    public static ObjectNode parseEnvelope(byte[] json) throws BadJsonException {
        return object(parse(ENVELOPES, json));
    }

    /**
     * Reads a row that was accepted before.
     *
     * @throws UnreadableRowException when the bytes are not a row
     */
    static ObjectNode parseStored(byte[] json) {
        try {
            JsonNode node = TRUSTING.readTree(json);
            if (node instanceof ObjectNode object) {
                return object;
            }
            throw new UnreadableRowException("got " + describe(node));
        } catch (IOException | NumberFormatException e) {
            throw new UnreadableRowException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Reads JSON that was accepted before, token by token: a repeated name passes. */
    static JsonParser trusting(byte[] json) throws IOException {
        return TRUSTING.createParser(json);
    }

    /** Reads JSON of unknown origin token by token, with the limits of an envelope; a repeated name passes. */
    static JsonParser lenient(byte[] json) throws IOException {
        return LENIENT.createParser(json);
    }

    /** Reads JSON of unknown origin token by token, with the limits of an envelope; a repeated name does not pass. */
    public static JsonParser strict(byte[] json) throws IOException {
        return ENVELOPES.createParser(json);
    }

    private static ObjectNode object(JsonNode node) throws BadJsonException {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new BadJsonException("expected a JSON object, but got " + describe(node));
    }

    /**
     * Reads JSON that Tidemark wrote as a record. What the JSON leaves out is empty or zero; what the record has not is
     * ignored.
     *
     * @throws IllegalArgumentException when something has another type
     */
    public static <T> T as(Class<T> type, JsonNode json) {
        return ENVELOPES.convertValue(json, type);
    }

    /**
     * Reads one JSON value and nothing else.
     *
     * @throws BadJsonException as {@link #parseObject(byte[])}
     */
    public static JsonNode parse(byte[] json) throws BadJsonException {
        return parse(ROWS, json);
    }

    private static JsonNode parse(JsonMapper mapper, byte[] json) throws BadJsonException {
        JsonNode node = read(mapper, json);
        StorableJson.require(node);
        return node;
    }

    /** Reads one JSON value with the limits of a row; what the parser does not check, is not checked. */
    static JsonNode readAsRow(byte[] json) throws BadJsonException {
        return read(ROWS, json);
    }

    private static JsonNode read(JsonMapper mapper, byte[] json) throws BadJsonException {
        int start = Arrays.mismatch(json, BYTE_ORDER_MARK) == BYTE_ORDER_MARK.length ? BYTE_ORDER_MARK.length : 0;
        if (!isUtf8(json)) {
            throw new BadJsonException("expected JSON in UTF-8, but got bytes that are none");
        }
        try (JsonParser parser = mapper.createParser(json, start, json.length - start)) {
            JsonNode node = mapper.readTree(parser);
            if (node == null || node.isMissingNode()) {
                throw new BadJsonException("expected a JSON value, but got nothing");
            }
            if (parser.nextToken() != null) {
                throw new BadJsonException("expected one JSON value, but more follows it");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw JsonMistakes.of(e);
        } catch (NumberFormatException e) {
            throw new BadJsonException(
                    "expected a number with an exponent below 2^31, but got a larger one", ProblemType.NUMBER_TOO_LONG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The values, names and brackets of a tree, as they are counted while it is read. */
    public static int tokens(JsonNode node) {
        int tokens = node.isContainerNode() ? 2 : 1;
        if (node.isObject()) {
            tokens += node.size();
        }
        for (JsonNode inner : node) {
            tokens += tokens(inner);
        }
        return tokens;
    }

    /** Whether bytes are UTF-8; the parser takes overlong forms and encoded surrogates for it. */
    public static boolean isUtf8(byte[] json) {
        boolean ascii = true;
        for (byte b : json) {
            ascii &= b >= 0;
        }
        if (ascii) {
            return true;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** Compact UTF-8 of a tree or of a record. */
    public static byte[] write(Object value) {
        try {
            return ENVELOPES.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A word for the kind of a node, for messages. */
    public static String describe(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "an array";
            case OBJECT -> "an object";
            case STRING -> "the string " + shortened(node.toString());
            case NUMBER -> "the number " + shortened(node.toString());
            case BOOLEAN -> node.toString();
            case NULL -> "null";
            case MISSING -> "nothing";
            case BINARY, POJO -> "binary data";
        };
    }

    /** The beginning of a text, for messages. */
    static String shortened(String text) {
        return text.length() <= MAX_DESCRIBED ? text : text.substring(0, MAX_DESCRIBED) + "…";
    }

    /** The limits that are the same for all. */
    private static StreamReadConstraints.Builder limits() {
        return StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH + ENVELOPE_DEPTH)
                .maxNameLength(MAX_NAME_LENGTH)
                .maxStringLength(MAX_STRING_LENGTH);
    }

    private static JsonMapper mapper(StreamReadConstraints.Builder limits, boolean strict) {
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(limits.build())
                        .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION, strict)
                        .disable(JsonFactory.Feature.CHARSET_DETECTION)
                        .build())
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .configure(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, strict)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .withConfigOverride(String.class, RowJson::emptyForNull)
                .withConfigOverride(List.class, RowJson::emptyForNull)
                .withConfigOverride(Map.class, RowJson::emptyForNull)
                .withConfigOverride(JsonNode.class, RowJson::emptyForNull)
                .build();
    }

    /** What a record has where JSON leaves a member out. */
    private static void emptyForNull(MutableConfigOverride type) {
        type.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
    }
}
