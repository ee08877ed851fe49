package dev.tidemark.deploy.e2e.load;

import java.util.List;
import java.util.Random;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;

/**
 * Rows whose key fields move between few values, are missing, null, repeated, and of several types, so that neighbours,
 * sparse entries and element differences all occur.
 */
public final class People {
    private static final List<String> TOWNS = List.of("Redmond", "Zürich", "Łódź", "東京", "a\u0000b", "", "Zürich-West");
    private static final List<String> TAGS = List.of("new", "vip", "owes", "far", "near", "old", "𝄞", "\uFFFD");
    private static final List<String> NAMES = List.of("Smith", "Jones", "Nguyễn", "O'Neill", "\"Q\"");

    private final Random random;

    public People(Random random) {
        this.random = random;
    }

    /** A whole row. */
    public ObjectNode row(String key) {
        ObjectNode row = RowJson.mapper().createObjectNode();
        row.put("personId", key);
        setSome(row);
        return row;
    }

    /** A merge patch that moves some of the fields. */
    public ObjectNode patch() {
        ObjectNode patch = RowJson.mapper().createObjectNode();
        ObjectNode all = RowJson.mapper().createObjectNode();
        setSome(all);
        all.properties().forEach(field -> {
            if (random.nextInt(3) == 0) {
                patch.set(field.getKey(), field.getValue());
            }
        });
        if (random.nextInt(6) == 0) {
            patch.putNull(random.nextBoolean() ? "town" : "tags");
        }
        patch.put("change", random.nextLong());
        return patch;
    }

    private void setSome(ObjectNode row) {
        row.put("name", one(NAMES));
        switch (random.nextInt(12)) {
            case 0 -> row.putNull("town");
            case 1 -> row.put("town", 17);
            case 2 -> row.put("town", true);
            case 3 -> row.remove("town");
            default -> row.put("town", one(TOWNS));
        }
        ArrayNode tags = row.putArray("tags");
        for (int count = random.nextInt(5); count > 0; count--) {
            tags.add(one(TAGS));
        }
        row.put("active", random.nextInt(3) > 0);
        if (random.nextInt(8) > 0) {
            row.put("score", random.nextBoolean() ? random.nextInt(40) - 20 : random.nextInt(40) / 4.0);
        }
        if (random.nextInt(5) > 0) {
            row.putObject("address").put("city", one(TOWNS)).put("zip", random.nextInt(99_999));
        }
        row.put("change", random.nextLong());
    }

    private String one(List<String> values) {
        return values.get(random.nextInt(values.size()));
    }
}
