package dev.tidemark.deploy.e2e;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.http.Caller;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/** Strings that break other people's programs are keys, values and questions like any other. */
@ExtendWith(SharedStack.class)
class HostileStringsIT {
    private static final String TABLE = "hostile_people";
    private static final String INDEX = TABLE + ".by_town";

    private final StackUnderTest stack;

    HostileStringsIT(StackUnderTest stack) {
        this.stack = stack;
    }

    /** Every kind of text that is known to be mistaken for something else. */
    private static List<String> strings() {
        List<String> all = new ArrayList<>(List.of(
                " ",
                "\t",
                "\n",
                "\r\n",
                "\u0000",
                "a\u0000b",
                "\u0001",
                "\u007f",
                "\u0085",
                "\u00a0",
                "\u00ad",
                "\u2028",
                "\u2029",
                "\u200b",
                "\u200d",
                "\u202e",
                "\u2066",
                "\ufeff",
                "\ufffd",
                "\ufffe",
                "\uffff",
                "\ud7ff",
                "\ue000",
                "\ud800\udc00",
                "\udbff\udfff",
                "\ud83d\ude00",
                "\ud83d\udc69\u200d\ud83d\udc67",
                "\u0301",
                "e\u0301",
                "\u00e9",
                "\u0130",
                "\u0131",
                "\u00df",
                "\u1e9e",
                "\u03c2",
                "\ufb01",
                "\u0660",
                "\uff11",
                "\u4e2d\u6587",
                "\u05d0\u05d1",
                "null",
                "NULL",
                "nil",
                "None",
                "undefined",
                "true",
                "false",
                "NaN",
                "Infinity",
                "-0",
                "0",
                "1e400",
                "0x10",
                "01",
                "1.0",
                "1,5",
                "1_000",
                "+1",
                "--1",
                "''",
                "\"",
                "\\",
                "\\\\",
                "\\u0000",
                "\"42\"",
                "'; DROP TABLE rows;--",
                "1 OR 1=1",
                "$where",
                "$delete",
                "{\"$delete\":1}",
                "{}",
                "[]",
                "[1]",
                "{{7*7}}",
                "${jndi:ldap://x}",
                "%s%n%x",
                "%00",
                "%2e%2e%2f",
                "%ff",
                "%",
                "%zz",
                "+",
                "&",
                "=",
                "a=b&c=d",
                "?",
                "#",
                "/",
                "//",
                ".",
                "..",
                "../..",
                "a/b",
                "a,b",
                ",",
                ";",
                ";a=b",
                ":",
                "@",
                "*",
                "~",
                "`id`",
                "$(id)",
                "|",
                "<script>",
                "<![CDATA[",
                "&lt;",
                "--",
                "/*",
                "\u001b[31m",
                "C:\\con",
                "file:///",
                "javascript:0",
                "\ud83c\uddeb\ud83c\uddf7"));
        IntStream.of(127, 128, 255, 256, 700).forEach(length -> all.add("x".repeat(length)));
        return all;
    }

    @Test
    void hostile_strings_are_keys_and_values_and_are_found_and_ordered_like_any_other() throws Exception {
        People people = new People(new Random(23));
        String token = "";
        for (String string : strings()) {
            JsonNode answer = stack.facts()
                    .put(TABLE, quoted(string), people.row(string).put("town", string))
                    .requireOk()
                    .json();
            token = answer.path("token").asText();
            assertThat(answer.path("key").asText()).isEqualTo(string);
        }
        for (String string : strings()) {
            assertThat(stack.facts()
                            .get(TABLE, quoted(string))
                            .requireOk()
                            .json()
                            .path("town")
                            .asText())
                    .isEqualTo(string);
        }
        requireFound(token);
        requireOrdered();
        stack.settle(TABLE);
    }

    private void requireFound(String token) throws Exception {
        for (String string : strings()) {
            for (String condition : List.of("town", "town.prefix")) {
                JsonNode found = stack.indexes()
                        .query(INDEX, condition, quoted(string), "limit", "1000", "token", token, "wait", "10s")
                        .requireOk()
                        .json();
                assertThat(towns(found))
                        .as("%s=%s", condition, Caller.encode(string))
                        .containsExactlyInAnyOrderElementsOf(strings().stream()
                                .filter(other ->
                                        condition.equals("town") ? other.equals(string) : other.startsWith(string))
                                .toList());
            }
        }
    }

    private void requireOrdered() throws Exception {
        JsonNode found =
                stack.indexes().query(INDEX, "limit", "1000").requireOk().json();
        Comparator<String> byCodePoint = Comparator.comparing(
                string -> string.codePoints().mapToObj("%08x"::formatted).collect(Collectors.joining()));
        assertThat(towns(found))
                .containsExactlyElementsOf(
                        strings().stream().sorted(byCodePoint).toList());
    }

    /** In a path and in a query a text is quoted, else it might spell a number. */
    private static String quoted(String string) {
        return TextNode.valueOf(string).toString();
    }

    private static List<String> towns(JsonNode answer) {
        Stream.Builder<String> towns = Stream.builder();
        answer.path("entries")
                .forEach(entry -> towns.add(entry.path("key").path("town").asText()));
        return towns.build().toList();
    }
}
