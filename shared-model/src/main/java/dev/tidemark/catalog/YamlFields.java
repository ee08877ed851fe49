package dev.tidemark.catalog;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A mapping whose keys are known beforehand; any other key is a problem. */
final class YamlFields {
    private final YamlNode node;
    private final String owner;
    private final Map<String, YamlNode> values = new HashMap<>();

    private YamlFields(YamlNode node, String owner) {
        this.node = node;
        this.owner = owner;
    }

    /**
     * Reads a mapping.
     *
     * @param owner what the mapping describes, for messages
     */
    static Optional<YamlFields> of(YamlNode node, String owner, List<String> known) {
        YamlFields fields = new YamlFields(node, owner);
        return node.entries("a mapping with " + String.join(", ", known) + " for " + owner)
                .map(entries -> {
                    entries.forEach(entry -> fields.take(entry, known));
                    return fields;
                });
    }

    Optional<YamlNode> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** The value of a key that must be there. */
    Optional<YamlNode> required(String key, String expected) {
        Optional<YamlNode> value = get(key);
        if (value.isEmpty()) {
            node.problem("missing key \"" + key + "\" of " + owner, expected);
        }
        return value;
    }

    private void take(YamlNode.Entry entry, List<String> known) {
        if (known.contains(entry.name())) {
            values.put(entry.name(), entry.value());
        } else {
            entry.key().problem("unknown key " + YamlNode.quoted(entry.name()), "one of " + String.join(", ", known));
        }
    }
}
