package dev.tidemark.row;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

/** How much heap JSON takes as a tree, about: many times the room of its text where it has many small parts. */
public final class TreeWeight {
    private static final long OBJECT = 160;
    private static final long MEMBER = 112;
    private static final long ARRAY = 80;
    private static final long ELEMENT = 8;
    private static final long TEXT = 64;
    private static final long NUMBER = 32;
    private static final long LONG_NUMBER = 64;

    private TreeWeight() {}

    /** The bytes of a value with all that is in it. */
    public static long of(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> {
                long bytes = OBJECT;
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    bytes += MEMBER + 2L * field.getKey().length() + of(field.getValue());
                }
                yield bytes;
            }
            case ARRAY -> {
                long bytes = ARRAY;
                for (JsonNode element : node) {
                    bytes += ELEMENT + of(element);
                }
                yield bytes;
            }
            case STRING -> TEXT + 2L * node.textValue().length();
            case NUMBER -> number(node);
            default -> 0;
        };
    }

    /** Digits of a long number are kept as bits, fewer than four for each. */
    private static long number(JsonNode node) {
        if (node.isBigDecimal()) {
            return LONG_NUMBER + node.decimalValue().precision() / 2;
        }
        return node.isBigInteger() ? LONG_NUMBER + node.bigIntegerValue().bitLength() / Byte.SIZE : NUMBER;
    }
}
