package dev.tidemark.access;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SecretFile;

/**
 * Reads the file of tokens: {@code {"tokens":[{"name":…,"token":… or "sha256":…,"scopes":[…]},…]}}, as JSON or YAML.
 *
 * <p>A token is 20 to 512 letters, digits and {@code - . _ ~ + / =}; {@code sha256} is the digest of one, in
 * hexadecimal. Names and tokens are there once.
 */
public final class TokenFile {
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9\\-._~+/=]{20,512}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");
    private static final int MAX_DEPTH = 8;
    private static final Set<String> MEMBERS = Set.of("name", "token", "sha256", "scopes");

    private final Path file;

    private TokenFile(Path file) {
        this.file = file;
    }

    /**
     * The tokens in the file.
     *
     * @throws BadSettingsException when it cannot be read, is open to others, or is not as it should be
     */
    public static Tokens read(Path file) throws BadSettingsException {
        return new TokenFile(file).tokens(SecretFile.read(file));
    }

    /**
     * The token in a file that holds one alone, for who calls.
     *
     * @throws BadSettingsException when there is none
     */
    public static String single(Path file) throws BadSettingsException {
        String token = new String(SecretFile.read(file), StandardCharsets.UTF_8).strip();
        if (!TOKEN.matcher(token).matches()) {
            throw new BadSettingsException(
                    "expected " + file + " to hold one token, of 20 to 512 letters, digits and" + " - . _ ~ + / =");
        }
        return token;
    }

    private Tokens tokens(byte[] content) throws BadSettingsException {
        JsonNode root = tree(content);
        JsonNode list = root.path("tokens");
        if (!list.isArray() || list.isEmpty() || root.size() != 1) {
            throw bad("expected {\"tokens\":[…]} with at least one token");
        }
        List<Tokens.Entry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String place = "token " + (i + 1);
            Tokens.Entry entry = entry(place, list.get(i));
            if (!names.add(entry.caller().name())) {
                throw bad(place + " has the name of another: " + entry.caller().name());
            }
            if (entries.stream().anyMatch(entry::isSameToken)) {
                throw bad(place + " (" + entry.caller().name() + ") is the token of another");
            }
            entries.add(entry);
        }
        return new Tokens(entries);
    }

    private JsonNode tree(byte[] content) throws BadSettingsException {
        String text = new String(content, StandardCharsets.UTF_8);
        if (!text.stripLeading().startsWith("{")) {
            return yaml(text).orElseThrow(() -> bad("expected YAML or JSON"));
        }
        try {
            return RowJson.parseObject(content);
        } catch (BadJsonException e) {
            // Its message may show a piece of the file.
            throw bad("expected YAML or JSON");
        }
    }

    /**
     * YAML of plain mappings, lists and scalars, as JSON; empty when the text is not such YAML. No reason is returned,
     * because the parser's message shows a piece of the text.
     */
    private static Optional<JsonNode> yaml(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(SecretFile.MAX_BYTES);
        options.setNestingDepthLimit(MAX_DEPTH);
        options.setMaxAliasesForCollections(0);
        options.setAllowDuplicateKeys(false);
        try {
            Object tree = new Yaml(new SafeConstructor(options)).load(text);
            return Optional.of(RowJson.mapper().valueToTree(tree));
        } catch (RuntimeException e) {
            // The parser casts what has a tag of another kind without a look.
            return Optional.empty();
        }
    }

    private Tokens.Entry entry(String place, JsonNode json) throws BadSettingsException {
        if (!(json instanceof ObjectNode object)) {
            throw bad(place + ": expected a mapping with name, scopes, and token or sha256");
        }
        for (var member : object.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw bad(place + ": expected the keys name, token, sha256 and scopes alone");
            }
        }
        String name = object.path("name").asText();
        if (!NAME.matcher(name).matches()) {
            throw bad(place + ": expected a name of letters, digits, _, . and -");
        }
        return new Tokens.Entry(new Caller(name, scopes(place, object.path("scopes"))), digest(place, object));
    }

    private byte[] digest(String place, ObjectNode object) throws BadSettingsException {
        String token = object.path("token").asText();
        String digest = object.path("sha256").asText();
        if (token.isEmpty() == digest.isEmpty()) {
            throw bad(place + ": expected either token or sha256");
        }
        if (!digest.isEmpty()) {
            if (!DIGEST.matcher(digest).matches()) {
                throw bad(place + ": expected sha256 to be 64 hexadecimal digits");
            }
            return HexFormat.of().parseHex(digest);
        }
        if (!object.path("token").isTextual() || !TOKEN.matcher(token).matches()) {
            throw bad(place + ": expected a token of 20 to 512 letters, digits and - . _ ~ + / =, as text; one can be"
                    + " made with: openssl rand -hex 32");
        }
        return Tokens.digest(token);
    }

    private Set<Scope> scopes(String place, JsonNode list) throws BadSettingsException {
        Set<Scope> scopes = new HashSet<>();
        for (JsonNode text : list) {
            Optional<Scope> scope = Scope.parse(text.asText());
            scopes.add(scope.orElseThrow(() -> bad(place + ": expected each scope to be " + Scope.FORMS)));
        }
        if (!list.isArray() || scopes.isEmpty()) {
            throw bad(place + ": expected a list of scopes: " + Scope.FORMS);
        }
        return scopes;
    }

    private BadSettingsException bad(String detail) {
        return new BadSettingsException(file + ": " + detail);
    }
}
