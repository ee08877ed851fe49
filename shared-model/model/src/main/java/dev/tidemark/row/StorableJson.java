package dev.tidemark.row;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

/** Checks of JSON from a user that the parser does not make: what is written of it must be readable again. */
final class StorableJson {
    /** Digits with which a number cannot become too long when it is written: an exponent has at most ten digits. */
    private static final int FEW_DIGITS = RowJson.MAX_NUMBER_LENGTH - 20;

    /** Scales with which the exponent of a number cannot become too large when it is written. */
    private static final int MODERATE_SCALE = Integer.MAX_VALUE - 1_000;

    private StorableJson() {}

    /**
     * Checks a value with all that is in it.
     *
     * @throws BadJsonException when it could not be written, or not be read again
     */
    static void require(JsonNode node) throws BadJsonException {
        require(node, FEW_DIGITS);
    }

    /**
     * Checks a value of a record, whose numbers may be as long as earlier versions wrote some.
     *
     * @throws BadJsonException as {@link #require(JsonNode)}
     */
    static void requireOfRecord(JsonNode node) throws BadJsonException {
        require(node, RowJson.ENVELOPE_NUMBER_LENGTH);
    }

    /**
     * Checks a number of a record.
     *
     * @throws BadJsonException as {@link #require(JsonNode)}
     */
    static void requireOfRecord(BigDecimal number) throws BadJsonException {
        requireReadable(number, RowJson.ENVELOPE_NUMBER_LENGTH);
    }

    private static void require(JsonNode node, int fewDigits) throws BadJsonException {
        switch (node.getNodeType()) {
            case OBJECT -> {
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    requireUnicode(field.getKey(), "name");
                    require(field.getValue(), fewDigits);
                }
            }
            case ARRAY -> {
                for (JsonNode element : node) {
                    require(element, fewDigits);
                }
            }
            case STRING -> requireUnicode(node.textValue(), "string");
            case NUMBER -> {
                if (node.isBigDecimal()) {
                    requireReadable(node.decimalValue(), fewDigits);
                }
            }
            default -> {
                // The others have one spelling.
            }
        }
    }

    /** Unpaired surrogates can be spelled in JSON and cannot be written as UTF-8. */
    private static void requireUnicode(String text, String kind) throws BadJsonException {
        if (!CodePoints.areValid(text)) {
            throw new BadJsonException("expected valid Unicode, but got a " + kind + " with an unpaired surrogate");
        }
    }

    /**
     * A number is written in one form, which can be longer than the one in which it came: 11E9 is written as 1.1E+10.
     */
    private static void requireReadable(BigDecimal number, int fewDigits) throws BadJsonException {
        if (number.precision() <= fewDigits && Math.abs((long) number.scale()) <= MODERATE_SCALE) {
            return;
        }
        String written = number.toString();
        try {
            RowJson.readAsRow(written.getBytes(StandardCharsets.US_ASCII));
        } catch (BadJsonException e) {
            throw new BadJsonException(
                    "expected a number that can be written with at most " + RowJson.MAX_NUMBER_LENGTH
                            + " digits, those of an exponent below 2^31 included, but got "
                            + RowJson.shortened(written),
                    ProblemType.NUMBER_TOO_LONG);
        }
    }
}
