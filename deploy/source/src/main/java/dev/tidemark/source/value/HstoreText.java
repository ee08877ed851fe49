package dev.tidemark.source.value;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Reads an {@code hstore} as PostgreSQL shows it: {@code "key"=>"value", "other"=>NULL}. */
final class HstoreText {
    private static final String ARROW = "=>";

    private final String text;
    private int at;

    HstoreText(String text) {
        this.text = text;
    }

    ObjectNode read() {
        ObjectNode pairs = JsonNodeFactory.instance.objectNode();
        while (at < text.length()) {
            String key = quoted();
            if (!text.startsWith(ARROW, at)) {
                throw new IllegalArgumentException("Expected => at " + at);
            }
            at += ARROW.length();
            if (text.startsWith("NULL", at)) {
                at += "NULL".length();
                pairs.putNull(key);
            } else {
                pairs.put(key, quoted());
            }
            at = Math.min(text.length(), at + ", ".length());
        }
        return pairs;
    }

    private String quoted() {
        if (at >= text.length() || text.charAt(at) != '"') {
            throw new IllegalArgumentException("Expected a quote at " + at);
        }
        StringBuilder read = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            if (text.charAt(at) == '\\') {
                at++;
            }
            read.append(text.charAt(at));
        }
        at++;
        return read.toString();
    }
}
