package dev.tidemark.deploy.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Bodies of rows, most of them close to a limit on one side or the other. */
final class RandomBodies {
    private static final int[] DIGITS = {1, 2, 17, 40, 379, 380, 381, 389, 390, 395, 397, 398, 399, 400, 401};
    private static final long[] EXPONENTS = {
        0,
        1,
        5,
        6,
        7,
        9,
        10,
        99,
        308,
        399,
        400,
        402,
        999_598,
        999_998,
        999_999,
        1_000_000,
        1_000_001,
        2_147_483_246L,
        2_147_483_247L,
        2_147_483_646L,
        2_147_483_647L,
        2_147_483_648L,
        9_999_999_999L
    };
    private static final List<String> WHOLE = List.of(
            "0",
            "-0",
            "-0.0",
            "0e9",
            "0E-400",
            "2147483647",
            "2147483648",
            "-2147483649",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "1e0",
            "-1.5e1",
            "1.0",
            "0.1000");
    private static final int[] CODE_POINTS = {
        0, 1, 8, 9, 0xA, 0xD, 0x1F, ' ', '"', '\\', '/', 'a', 0x7E, 0x7F, 0x80, 0x9F, 0xE9, 0x7FF, 0x800, 0x2028,
        0x2029, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFDD0, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1_0000,
        0x1_F600, 0x1_FFFE, 0x1_FFFF, 0x10_0000, 0x10_FFFF
    };
    private static final List<String> FIELDS = List.of("a", "b", "c", "d", "e", "list", "patched");
    private static final int LONGEST_NAME = 1_024;
    private static final int DEEPEST = 64;
    private static final int MOST_TOKENS = 250_000;

    private final Random random;

    RandomBodies(Random random) {
        this.random = random;
    }

    byte[] next() {
        StringBuilder row = new StringBuilder(oneIn(20) ? "\uFEFF{" : "{");
        row.append("\"id\":").append(oneIn(2) ? number() : text(random.nextInt(6)));
        for (String name : FIELDS) {
            if (!oneIn(4)) {
                row.append(space()).append(",\"").append(name).append("\":").append(space());
                row.append(valueOf(name));
            }
        }
        if (oneIn(8)) {
            row.append(",").append(name()).append(":1");
        }
        return row.append(space()).append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Bodies that are as deep, as wide or as long as they may be, and a little more. */
    static List<byte[]> atTheLimits() {
        List<String> bodies = List.of(
                "{\"id\":1,\"c\":" + nested(DEEPEST - 1) + "}",
                "{\"id\":1,\"c\":" + nested(DEEPEST) + "}",
                "{\"id\":1,\"x\":[" + "{},".repeat(MOST_TOKENS / 2 - 10) + "{}]}",
                "{\"id\":1,\"x\":[" + "{},".repeat(MOST_TOKENS / 2) + "{}]}",
                "{\"id\":1,\"a\":1,\"list\":[" + "1,".repeat(MOST_TOKENS - 20) + "1]}",
                "{\"id\":1,\"a\":1,\"x\":[" + "\"\\u0001\",".repeat(MOST_TOKENS / 2) + "1]}",
                "{\"id\":1,\"a\":1,\"list\":[" + counted(1_000) + "]}",
                "{\"id\":1,\"a\":1,\"list\":[" + counted(1_001) + "]}",
                "{\"id\":1,\"a\":2,\"b\":\"" + "x".repeat((1 << 20) - 30) + "\"}",
                "{\"id\":1,\"a\":2,\"b\":\"" + "x".repeat(1 << 20) + "\"}",
                "{\"id\":1,\"a\":2,\"b\":\"" + "\\u0000".repeat((1 << 20) / 6 - 10) + "\"}",
                "{\"id\":1,\"a\":\"" + "k".repeat(4_000) + "\"}",
                "{\"id\":\"" + "k".repeat(1_000) + "\",\"a\":\"" + "k".repeat(4_000) + "\"}",
                "{\"id\":\"" + "\\u0000".repeat(600) + "\",\"a\":1}",
                "{\"id\":1,\"" + "é".repeat(LONGEST_NAME / 2) + "\":1}",
                "{\"id\":1,\"" + "\\u00e9".repeat(LONGEST_NAME / 2) + "\":1}",
                "{\"id\":1,\"" + "\\u0001".repeat(LONGEST_NAME) + "\":1}",
                "{\"id\":1,\"" + "\uD83D\uDE00".repeat(LONGEST_NAME / 4) + "\":1}");
        return bodies.stream()
                .map(body -> body.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    private static String counted(int elements) {
        StringBuilder list = new StringBuilder("0");
        for (int i = 1; i < elements; i++) {
            list.append(',').append(i);
        }
        return list.toString();
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    private String valueOf(String name) {
        if (name.equals("list") && !oneIn(6)) {
            StringBuilder list = new StringBuilder("[");
            for (int i = random.nextInt(5); i > 0; i--) {
                list.append(scalar()).append(i > 1 ? "," : "");
            }
            return list.append(']').toString();
        }
        if (name.equals("c") && !oneIn(6)) {
            return "{\"d\":" + scalar() + ",\"e\":" + value(3) + "}";
        }
        return oneIn(4) ? value(4) : scalar();
    }

    private String value(int depth) {
        return switch (depth == 0 ? 0 : random.nextInt(4)) {
            case 0, 1 -> scalar();
            case 2 -> "[" + value(depth - 1) + space() + "," + value(depth - 1) + "]";
            default -> "{" + name() + ":" + value(depth - 1) + "}";
        };
    }

    private String scalar() {
        return switch (random.nextInt(8)) {
            case 0 -> "null";
            case 1 -> random.nextBoolean() ? "true" : "false";
            case 2, 3, 4 -> text(random.nextInt(12));
            default -> number();
        };
    }

    private String number() {
        if (oneIn(3)) {
            return WHOLE.get(random.nextInt(WHOLE.size()));
        }
        int length = oneIn(2) ? DIGITS[random.nextInt(DIGITS.length)] : 1 + random.nextInt(30);
        StringBuilder digits = new StringBuilder();
        digits.append((char) ('1' + random.nextInt(9)));
        while (digits.length() < length) {
            digits.append(oneIn(3) ? '0' : (char) ('0' + random.nextInt(10)));
        }
        if (oneIn(8)) {
            digits.insert(0, "0." + "0".repeat(random.nextInt(12)));
        } else if (oneIn(2) && length > 1) {
            digits.insert(1 + random.nextInt(length - 1), '.');
        }
        if (oneIn(2)) {
            digits.append(random.nextBoolean() ? 'e' : 'E').append(oneIn(2) ? "-" : oneIn(2) ? "+" : "");
            digits.append(EXPONENTS[random.nextInt(EXPONENTS.length)]);
        }
        return (oneIn(3) ? "-" : "") + digits;
    }

    private String name() {
        int length = oneIn(20) ? LONGEST_NAME - 3 + random.nextInt(8) : 1 + random.nextInt(10);
        return oneIn(2) ? "\"" + "n".repeat(length) + "\"" : text(Math.min(length, 300));
    }

    /** A text of many kinds of characters; rarely one with a surrogate that has no pair. */
    private String text(int length) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < length; i++) {
            int point = oneIn(2) ? 'a' + random.nextInt(26) : CODE_POINTS[random.nextInt(CODE_POINTS.length)];
            boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
            if (!surrogate || oneIn(30)) {
                append(point, surrogate, text);
            }
        }
        return text.append('"').toString();
    }

    private void append(int point, boolean surrogate, StringBuilder text) {
        if (surrogate || point < ' ' || point == '"' || point == '\\' || oneIn(4)) {
            for (char unit : Character.toChars(point)) {
                text.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) unit));
            }
        } else {
            text.appendCodePoint(point);
        }
    }

    private String space() {
        return oneIn(10) ? " \t\n".substring(random.nextInt(3)) : "";
    }

    private boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }
}
