package dev.tidemark.deploy.e2e.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** Films with casts and genres: real ones where a file of them is named, and made-up ones of the same shape. */
public final class Films {
    /** Environment variable that names an NDJSON file of films: movieId, title, year, cast, genres. */
    public static final String FILE_VARIABLE = "TIDEMARK_MOVIES";

    private static final List<String> GENRES = List.of(
            "Drama", "Comedy", "Crime", "Western", "Musical", "Film-noir", "Документальный", "恐怖", "Sci-fi", "War");

    private Films() {}

    /** The real films; empty where the variable is not set. */
    public static Optional<List<ObjectNode>> real() throws IOException, BadJsonException {
        String file = System.getenv(FILE_VARIABLE);
        if (file == null || file.isBlank()) {
            return Optional.empty();
        }
        List<ObjectNode> films = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(file))) {
            films.add(RowJson.parseObject(line.getBytes(StandardCharsets.UTF_8)));
        }
        return Optional.of(films);
    }

    /** Made-up films: a few actors with hundreds, many with one, empty casts, repeated names, equal titles. */
    public static List<ObjectNode> invented(int count, long seed) {
        Random random = new Random(seed);
        List<ObjectNode> films = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ObjectNode film = RowJson.mapper().createObjectNode();
            int year = 1930 + random.nextInt(50);
            film.put("movieId", year + ":Film \"" + i + "\", é/%?" + i);
            film.put("title", "The Film of " + random.nextInt(count / 2));
            film.put("year", year);
            ArrayNode cast = film.putArray("cast");
            for (int actors = random.nextInt(6); actors > 0; actors--) {
                // The square makes low numbers frequent.
                int actor = (int) (Math.pow(random.nextDouble(), 2) * count);
                cast.add("Actor " + actor + (actor % 7 == 0 ? ", Jr." : ""));
            }
            ArrayNode genres = film.putArray("genres");
            for (int times = random.nextInt(4); times > 0; times--) {
                genres.add(GENRES.get(random.nextInt(GENRES.size())));
            }
            if (random.nextInt(3) > 0) {
                film.put("extract", "It is a film. ".repeat(1 + random.nextInt(20)));
            }
            films.add(film);
        }
        return films;
    }
}
