package dev.tidemark.row;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
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

    private static final int ENVELOPE_DEPTH = 8;
    private static final int MAX_DESCRIBED = 60;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private static final JsonMapper ROWS = mapper(MAX_DEPTH, true);
    private static final JsonMapper ENVELOPES = mapper(MAX_DEPTH + ENVELOPE_DEPTH, true);
    private static final JsonMapper TRUSTING = mapper(MAX_DEPTH + ENVELOPE_DEPTH, false);

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

    /** Reads JSON that was accepted before, token by token: a repeated name passes. */
    static JsonParser trusting(byte[] json) throws IOException {
        return TRUSTING.createParser(json);
    }

    /** Reads JSON of unknown origin token by token, with the limits of an envelope; a repeated name does not pass. */
    static JsonParser strict(byte[] json) throws IOException {
        return ENVELOPES.createParser(json);
    }

    private static ObjectNode object(JsonNode node) throws BadJsonException {
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
        return parse(ROWS, json);
    }

    private static JsonNode parse(JsonMapper mapper, byte[] json) throws BadJsonException {
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
            requireUnicode(node);
            return node;
        } catch (StreamConstraintsException e) {
            String reason = String.valueOf(e.getOriginalMessage());
            throw new BadJsonException("expected JSON within the limits, but " + reason, limit(reason));
        } catch (JsonProcessingException e) {
            throw new BadJsonException("expected JSON, but " + e.getOriginalMessage() + where(e));
        } catch (NumberFormatException e) {
            throw new BadJsonException("expected a number with a smaller exponent", ProblemType.NUMBER_TOO_LONG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The parser tells which of its limits was met by words alone. */
    private static ProblemType limit(String reason) {
        if (reason.contains("nesting depth")) {
            return ProblemType.JSON_TOO_DEEP;
        }
        if (reason.startsWith("Number")) {
            return ProblemType.NUMBER_TOO_LONG;
        }
        return reason.startsWith("Name") ? ProblemType.NAME_TOO_LONG : ProblemType.JSON_TOO_LARGE;
    }

    /** Whether bytes are UTF-8; the parser takes overlong forms and encoded surrogates for it. */
    static boolean isUtf8(byte[] json) {
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

    /** Unpaired surrogates can be spelled in JSON and cannot be written as UTF-8. */
    private static void requireUnicode(JsonNode node) throws BadJsonException {
        if (node.isTextual() && !CodePoints.areValid(node.textValue())) {
            throw new BadJsonException("expected valid Unicode, but got a string with an unpaired surrogate");
        }
        Iterator<String> names = node.fieldNames();
        while (names.hasNext()) {
            if (!CodePoints.areValid(names.next())) {
                throw new BadJsonException("expected valid Unicode, but got a name with an unpaired surrogate");
            }
        }
        for (JsonNode child : node) {
            requireUnicode(child);
        }
    }

    /** Compact UTF-8. */
    public static byte[] write(JsonNode node) {
        try {
            return ENVELOPES.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A word for the kind of a node, for messages. */
    public static String describe(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "an array";
            case OBJECT -> "an object";
            case STRING -> "the string " + shortened(node);
            case NUMBER -> "the number " + shortened(node);
            case BOOLEAN -> node.toString();
            case NULL -> "null";
            case MISSING -> "nothing";
            case BINARY, POJO -> "binary data";
        };
    }

    private static String shortened(JsonNode node) {
        String text = node.toString();
        return text.length() <= MAX_DESCRIBED ? text : text.substring(0, MAX_DESCRIBED) + "…";
    }

    private static JsonMapper mapper(int maxDepth, boolean strict) {
        return JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(maxDepth)
                                .maxNumberLength(MAX_NUMBER_LENGTH)
                                .maxNameLength(MAX_NAME_LENGTH)
                                .maxStringLength(MAX_STRING_LENGTH)
                                .build())
                        .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION, strict)
                        .disable(JsonFactory.Feature.CHARSET_DETECTION)
                        .build())
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .configure(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, strict)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build();
    }

    /** The place, without a line where there is but one, as in a line of many rows. */
    private static String where(JsonProcessingException e) {
        JsonLocation place = e.getLocation();
        if (place == null) {
            return "";
        }
        String line = place.getLineNr() > 1 ? "line " + place.getLineNr() + ", " : "";
        return " at " + line + "column " + place.getColumnNr();
    }
}
