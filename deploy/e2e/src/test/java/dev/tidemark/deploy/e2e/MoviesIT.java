package dev.tidemark.deploy.e2e;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.Films;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Films loaded in one call, and their index tables compared with what a plain count over the input says. */
@ExtendWith(SharedStack.class)
class MoviesIT {
    private static final int INVENTED = Integer.getInteger("movies.invented", 2_500);
    private static final int ACTORS_ASKED = 300;
    private static final long SEED = 42;

    private final StackUnderTest stack;

    MoviesIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void indexesOfTheRealFilmsEqualAnIndependentCount() throws Exception {
        Optional<List<ObjectNode>> films = Films.real();
        assumeTrue(
                films.isPresent(),
                Films.FILE_VARIABLE + " names no file of real films, so only invented ones are checked");
        loadAndCompare("movies", films.orElseThrow());
    }

    @Test
    void indexesOfInventedFilmsEqualAnIndependentCount() throws Exception {
        loadAndCompare("invented_movies", Films.invented(INVENTED, SEED));
    }

    private void loadAndCompare(String table, List<ObjectNode> films) throws Exception {
        byte[] body = films.stream()
                .map(film -> film + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);

        Answer answer = stack.facts().load(table, () -> new ByteArrayInputStream(body));

        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        assertThat(answer.json().path("committed").asInt()).isEqualTo(films.size());
        assertThat(answer.json().path("rejected")).isEmpty();
        assertThat(answer.json().path("token").asText()).isNotEmpty();
        assertThat(stack.settle(table)).hasSameSizeAs(films);
        FilmCount count = new FilmCount(films);
        compareCounts(table, count);
        compareActors(table, count);
    }

    private void compareCounts(String table, FilmCount count) throws Exception {
        Map<String, Long> expected = Map.of(
                "by_actor", count.distinctElements("cast"),
                "by_genre", count.distinctElements("genres"),
                "by_year", count.withYear());
        for (Map.Entry<String, Long> index : expected.entrySet()) {
            assertThat(stack.indexes()
                            .describe(table, index.getKey())
                            .path("entries")
                            .asLong())
                    .as("entries of %s, as told", index.getKey())
                    .isEqualTo(index.getValue());
            assertThat(stack.indexes().entries(table + "." + index.getKey()))
                    .as("entries of %s, paged through", index.getKey())
                    .hasSize(Math.toIntExact(index.getValue()));
        }
    }

    /** Every actor by paging through the index, and some hundred of them by asking for each. */
    private void compareActors(String table, FilmCount count) throws Exception {
        String index = table + ".by_actor";
        Map<String, List<String>> expected = count.filmsByActor();
        assertThat(filmsByActor(stack.indexes().entries(index))).isEqualTo(expected);
        for (String actor : count.someActors(ACTORS_ASKED, new Random(SEED))) {
            JsonNode answer = stack.indexes()
                    .query(index, "cast", quoted(actor), "limit", "1000")
                    .requireOk()
                    .json();
            assertThat(filmsByActor(answer.path("entries")))
                    .as("films of %s", actor)
                    .isEqualTo(Map.of(actor, expected.getOrDefault(actor, List.of())));
        }
    }

    private static Map<String, List<String>> filmsByActor(Iterable<JsonNode> entries) {
        Map<String, List<String>> films = new TreeMap<>();
        entries.forEach(
                entry -> films.computeIfAbsent(entry.path("key").path("cast").asText(), actor -> new ArrayList<>())
                        .add(entry.path("primaryKey").asText()));
        return films;
    }

    /** A name that spells a number would be compared as one. */
    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }
}
