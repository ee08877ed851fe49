package dev.tidemark.writer.commit;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;

/** JSON merge patch, RFC 7396, for a target and a patch that are objects. */
final class MergePatch {
    private MergePatch() {}

    /** The patched target, as a new tree that shares no object with the old one where they differ. */
    static ObjectNode apply(ObjectNode target, ObjectNode patch) {
        ObjectNode merged = RowJson.mapper().createObjectNode();
        merged.setAll(target);
        for (Map.Entry<String, JsonNode> change : patch.properties()) {
            String name = change.getKey();
            JsonNode value = change.getValue();
            if (value.isNull()) {
                merged.remove(name);
            } else if (value instanceof ObjectNode inner) {
                ObjectNode old = merged.get(name) instanceof ObjectNode object
                        ? object
                        : RowJson.mapper().createObjectNode();
                merged.set(name, apply(old, inner));
            } else {
                merged.set(name, value);
            }
        }
        return merged;
    }
}
