package dev.tidemark.deploy.e2e;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Counts over films with nothing but maps and sets. */
final class FilmCount {
    private final List<ObjectNode> films;

    FilmCount(List<ObjectNode> films) {
        this.films = films;
    }

    /** Sum over the films of the number of different elements in an array. */
    long distinctElements(String field) {
        return films.stream().mapToLong(film -> elements(film, field).size()).sum();
    }

    long withYear() {
        return films.stream().filter(film -> film.hasNonNull("year")).count();
    }

    /** The keys of every actor's films, ascending by code point. */
    Map<String, List<String>> filmsByActor() {
        Map<String, Set<String>> byActor = new TreeMap<>();
        for (ObjectNode film : films) {
            for (String actor : elements(film, "cast")) {
                byActor.computeIfAbsent(actor, name -> new TreeSet<>(FilmCount::byCodePoint))
                        .add(film.path("movieId").asText());
            }
        }
        Map<String, List<String>> lists = new TreeMap<>();
        byActor.forEach((actor, keys) -> lists.put(actor, List.copyOf(keys)));
        return lists;
    }

    /** Those with most films, and others at random. */
    List<String> someActors(int count, Random random) {
        Map<String, List<String>> byActor = filmsByActor();
        List<String> actors = new ArrayList<>(byActor.keySet());
        Collections.shuffle(actors, random);
        List<String> some = new ArrayList<>(actors.subList(0, Math.min(count / 2, actors.size())));
        actors.sort((a, b) -> Integer.compare(
                byActor.getOrDefault(b, List.of()).size(),
                byActor.getOrDefault(a, List.of()).size()));
        some.addAll(actors.subList(0, Math.min(count / 2, actors.size())));
        return some;
    }

    private static Set<String> elements(ObjectNode film, String field) {
        Set<String> elements = new HashSet<>();
        for (JsonNode element : film.path(field)) {
            if (!element.isNull()) {
                elements.add(element.asText());
            }
        }
        return elements;
    }

    private static int byCodePoint(String a, String b) {
        int[] left = a.codePoints().toArray();
        int[] right = b.codePoints().toArray();
        return Arrays.compare(left, right);
    }
}
