package dev.tidemark.deploy.demo;

import java.util.List;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.JsonNode;

/** What the demo asks of the sample tables. */
public final class DemoQueries {
    private DemoQueries() {}

    /**
     * Questions to the tables of one sample.
     *
     * @param title what the sample shows
     */
    public record Chapter(String title, List<DemoQuery> questions) {}

    public static List<Chapter> all() {
        return List.of(
                new Chapter("Customers: the same rows by other keys, one index for each strategy", customers()),
                new Chapter("Movies: one entry for each actor, for each genre", movies()),
                new Chapter("Tyres: ranges", tyres()),
                new Chapter("Companies: the unordered table of index tutorials", companies()));
    }

    private static List<DemoQuery> customers() {
        Predicate<JsonNode> inRedmond = is("town", "Redmond");
        Predicate<JsonNode> smith = is("lastName", "Smith");
        return List.of(
                DemoQuery.of(
                        "Who lives in Redmond? The index holds a copy of each row.",
                        "customers",
                        "by_town?town=Redmond",
                        inRedmond),
                DemoQuery.of(
                        "Who is called Smith? The index holds references, which are followed to the rows.",
                        "customers",
                        "by_last_name?lastName=Smith&fetch=row",
                        smith),
                DemoQuery.of(
                        "How to reach the Smiths of Redmond? The index holds just what is asked.",
                        "customers",
                        "by_town_last_name?town=Redmond&lastName=Smith",
                        inRedmond.and(smith)));
    }

    private static List<DemoQuery> movies() {
        return List.of(
                DemoQuery.of(
                        "Which films is Humphrey Bogart in?",
                        "movies",
                        "by_actor?cast=Humphrey Bogart",
                        has("cast", "Humphrey Bogart")),
                DemoQuery.of(
                        "Science fiction since 1990? Newest first, as the index has it.",
                        "movies",
                        "by_genre?genres=Science Fiction&year.gte=1990",
                        has("genres", "Science Fiction").and(between("year", 1990, Integer.MAX_VALUE))),
                DemoQuery.of(
                        "What was on in the war years, latest first?",
                        "movies",
                        "by_year?year.gte=1939&year.lt=1946&order=desc",
                        between("year", 1939, 1946)));
    }

    private static List<DemoQuery> tyres() {
        return List.of(
                DemoQuery.of(
                        "Every load index that carries at least 800 kg?",
                        "tyre_loads",
                        "by_max_load?maxLoadKg.gte=800&limit=1000",
                        between("maxLoadKg", 800, Integer.MAX_VALUE)),
                DemoQuery.of(
                                "Which load index is 615 kg?",
                                "tyre_loads",
                                "by_max_load?maxLoadKg=615",
                                between("maxLoadKg", 615, 616))
                        .expecting("91"),
                DemoQuery.of(
                                "Which letter is 240 km/h?",
                                "tyre_speeds",
                                "by_max_speed?maxSpeedKmh=240",
                                between("maxSpeedKmh", 240, 241))
                        .expecting("\"V\""),
                DemoQuery.of(
                        "Which letters allow more than 180 km/h?",
                        "tyre_speeds",
                        "by_max_speed?maxSpeedKmh.gt=180",
                        between("maxSpeedKmh", 181, Integer.MAX_VALUE)));
    }

    private static List<DemoQuery> companies() {
        return List.of(DemoQuery.of(
                        "Which rows are about company 18?",
                        "companies",
                        "by_company_id?companyId=18",
                        between("companyId", 18, 19))
                .expecting("4", "9", "10", "15"));
    }

    private static Predicate<JsonNode> is(String field, String value) {
        return row -> value.equals(row.path(field).textValue());
    }

    private static Predicate<JsonNode> has(String field, String value) {
        return row -> row.path(field).valueStream().anyMatch(element -> value.equals(element.textValue()));
    }

    private static Predicate<JsonNode> between(String field, int fromInclusive, int toExclusive) {
        return row -> row.path(field).isNumber()
                && row.path(field).asDouble() >= fromInclusive
                && row.path(field).asDouble() < toExclusive;
    }
}
