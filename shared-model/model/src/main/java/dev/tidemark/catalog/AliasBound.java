package dev.tidemark.catalog;

import java.util.IdentityHashMap;
import java.util.List;

import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Bounds what aliases repeat: each alias of a mapping or a list is read like its text written out, so that a short text
 * could take hours and all memory.
 */
final class AliasBound {
    /** Most values of a text with its aliases written out. A text without aliases may have more. */
    static final int MOST_VALUES = 50_000;

    private static final long ENDLESS = Long.MAX_VALUE / 2;

    private final IdentityHashMap<Node, Long> sizes = new IdentityHashMap<>();

    private AliasBound() {}

    /** Whether the aliases of a text repeat too much of it. */
    static boolean isExceeded(Node root) {
        AliasBound bound = new AliasBound();
        long writtenOut = bound.size(root);
        return writtenOut > MOST_VALUES && writtenOut > bound.sizes.size();
    }

    private long size(Node node) {
        Long known = sizes.get(node);
        if (known != null) {
            return known;
        }
        // Until it is known: one that contains itself has no end.
        sizes.put(node, ENDLESS);
        long size = 1;
        for (Node child : children(node)) {
            size = Math.min(ENDLESS, size + size(child));
        }
        sizes.put(node, size);
        return size;
    }

    private static List<Node> children(Node node) {
        if (node instanceof SequenceNode list) {
            return list.getValue();
        } else if (node instanceof MappingNode mapping) {
            return mapping.getValue().stream()
                    .flatMap(tuple -> List.of(tuple.getKeyNode(), tuple.getValueNode()).stream())
                    .toList();
        }
        return List.of();
    }
}
