package dev.tidemark.access;

import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

import dev.tidemark.row.RowJson;
import dev.tidemark.settings.SecretFile;

/** YAML of plain mappings, lists and scalars, as JSON. */
final class TokenYaml {
    private static final int MAX_DEPTH = 8;

    private TokenYaml() {}

    /**
     * Returns the tree; empty when the text is not such YAML. No reason is returned, because the parser's message shows
     * a piece of the text.
     */
    static Optional<JsonNode> tree(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(SecretFile.MAX_BYTES);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setMaxAliasesForCollections(0);
        options.setAllowDuplicateKeys(false);
        try {
            Object tree = new Yaml(new SafeConstructor(options)).load(text);
            return Optional.of(RowJson.mapper().valueToTree(tree));
        } catch (YAMLException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
