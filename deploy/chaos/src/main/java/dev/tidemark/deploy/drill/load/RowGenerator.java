package dev.tidemark.deploy.drill.load;

import java.util.List;
import java.util.Random;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.drill.history.RowKey;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.row.RowJson;

/** Invents keys, rows and changes; half of all values are the same one. For one thread. */
final class RowGenerator {
    static final List<String> WORDS = List.of("acme", "Nguyễn", "O'Neill", "a b", "zz", "\"q\"");
    private static final List<String> STATES = List.of("open", "held", "done");
    private static final int KEYS = 60;
    private static final int HOT_KEYS = 3;
    private static final List<String> REGIONS = List.of("north", "south");

    private final String client;
    private final Random random;

    RowGenerator(String client, Random random) {
        this.client = client;
        this.random = random;
    }

    String table() {
        return random.nextInt(3) > 0 ? DrillTables.ORDERS : DrillTables.PEOPLE;
    }

    /** One of the client's own keys; a few of them more often than all others together. */
    RowKey key(String table) {
        int number = random.nextInt(random.nextInt(5) < 2 ? HOT_KEYS : KEYS);
        String name = client + "-" + number;
        return table.equals(DrillTables.ORDERS)
                ? new RowKey(List.of(REGIONS.get(number % REGIONS.size()), name))
                : new RowKey(List.of(name));
    }

    ObjectNode row(String table, RowKey key) {
        ObjectNode row = RowJson.mapper().createObjectNode();
        if (table.equals(DrillTables.ORDERS)) {
            row.put("region", key.parts().get(0)).put("number", key.parts().get(1));
        } else {
            row.put("personId", key.parts().get(0));
        }
        setSome(table, row);
        return row;
    }

    /** A merge patch that changes some fields, and takes some away. */
    ObjectNode patch(String table) {
        ObjectNode all = RowJson.mapper().createObjectNode();
        setSome(table, all);
        ObjectNode patch = RowJson.mapper().createObjectNode();
        all.properties().forEach(field -> {
            int dice = random.nextInt(8);
            if (dice == 0) {
                patch.putNull(field.getKey());
            } else if (dice < 4) {
                patch.set(field.getKey(), field.getValue());
            }
        });
        patch.put("change", random.nextLong());
        return patch;
    }

    /** What to ask an index for. */
    static String anyValue(IndexDefinition index, Random random) {
        List<String> values = DrillTables.asked(index).equals("status") ? STATES : WORDS;
        return values.get(random.nextInt(values.size()));
    }

    private void setSome(String table, ObjectNode row) {
        row.put("change", random.nextLong());
        if (table.equals(DrillTables.PEOPLE)) {
            row.put("name", word()).put("active", random.nextInt(4) > 0);
            if (random.nextInt(6) > 0) {
                row.put("town", word());
            }
            return;
        }
        row.put("customer", word()).put("status", STATES.get(random.nextInt(STATES.size())));
        if (random.nextInt(6) > 0) {
            row.put("amount", random.nextBoolean() ? random.nextInt(40) - 20 : random.nextInt(40) / 4.0);
        }
        ArrayNode tags = row.putArray("tags");
        for (int count = random.nextInt(5); count > 0; count--) {
            tags.add(word());
        }
        if (random.nextInt(4) > 0) {
            row.putObject("address").put("city", word()).put("zip", random.nextInt(99_999));
        }
    }

    private String word() {
        return WORDS.get(random.nextBoolean() ? 0 : random.nextInt(WORDS.size()));
    }
}
