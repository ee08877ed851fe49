package dev.tidemark.deploy.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

/** The calls and error types of {@code docs/http-api.md} are those that the services publish. */
class HttpApiPageTest {
    private static final List<String> SERVICES = List.of("writer", "worker");
    private static final Pattern PUBLISHED =
            Pattern.compile("^ {2}(/\\S*):$|^ {4}(get|put|post|patch|delete):$", Pattern.MULTILINE);
    private static final Pattern DESCRIBED = Pattern.compile("`((?:GET|PUT|POST|PATCH|DELETE) /[^`?]*)");
    private static final Pattern PUBLISHED_TYPE = Pattern.compile("^ +- (tidemark:\\S+)$", Pattern.MULTILINE);
    private static final Pattern DESCRIBED_TYPE = Pattern.compile("`(tidemark:[^`]+)`");

    private final String page =
            String.join("\n", SourceTree.lines(SourceTree.ofProject().root().resolve("docs/http-api.md")));

    @Test
    void describesEveryCallAndNoOther() throws IOException {
        Set<String> published = new TreeSet<>();
        for (String service : SERVICES) {
            published.addAll(calls(openApi(service)));
        }

        assertThat(published).hasSizeGreaterThan(30);
        assertThat(found(DESCRIBED, page)).isEqualTo(published);
    }

    @Test
    void describesEveryErrorTypeAndNoOther() throws IOException {
        Set<String> published = new TreeSet<>();
        for (String service : SERVICES) {
            published.addAll(found(PUBLISHED_TYPE, openApi(service)));
        }

        assertThat(published).hasSizeGreaterThan(20);
        assertThat(found(DESCRIBED_TYPE, page)).isEqualTo(published);
    }

    private static Set<String> calls(String openApi) {
        Set<String> calls = new TreeSet<>();
        String path = "";
        for (MatchResult line : PUBLISHED.matcher(openApi).results().toList()) {
            if (line.group(1) == null) {
                calls.add(line.group(2).toUpperCase(Locale.ROOT) + " " + path);
            } else {
                path = line.group(1);
            }
        }
        return calls;
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(one -> one.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String openApi(String service) throws IOException {
        try (InputStream in = HttpApiPageTest.class.getResourceAsStream("/dev/tidemark/" + service + "/openapi.yaml")) {
            assertThat(in).as(service).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
