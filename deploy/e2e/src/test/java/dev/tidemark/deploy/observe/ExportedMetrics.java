package dev.tidemark.deploy.observe;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/** The names of the time series that the product exports, from {@code exported-metrics.txt}. */
public final class ExportedMetrics {
    /** Who exports a series; the words of the list. */
    public enum Source {
        WRITER,
        /** A writer with a table that follows a source. */
        FOLLOWER,
        WORKER,
        SERVICE,
        COLLECTION,
        PROBER,
        PROMETHEUS
    }

    private record Line(String name, Source source) {
        static Line of(String text) {
            String[] words = text.trim().split("\\s+", -1);
            return new Line(words[0], Source.valueOf(words[1].toUpperCase(Locale.ROOT)));
        }
    }

    private ExportedMetrics() {}

    /** All names, whoever exports them. */
    public static Set<String> names() {
        return lines().stream().map(Line::name).collect(Collectors.toSet());
    }

    /** The names that one source exports. */
    public static Set<String> namesOf(Source source) {
        return lines().stream()
                .filter(line -> line.source() == source)
                .map(Line::name)
                .collect(Collectors.toSet());
    }

    /**
     * Fails when a live scrape lacks a listed series. A series with labels appears with the first thing it counts, so
     * write a row of every table, and let it be applied, before scraping.
     *
     * @param source {@link Source#WRITER} or {@link Source#WORKER}
     */
    public static void areAllIn(String scrape, Source source) {
        Set<String> wanted = new HashSet<>(namesOf(Source.SERVICE));
        wanted.addAll(namesOf(source));
        assertThat(namesIn(scrape)).as("series of the %s", source).containsAll(wanted);
    }

    /** The names of the series in a scrape. */
    public static Set<String> namesIn(String scrape) {
        return scrape.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }

    private static List<Line> lines() {
        try (InputStream file = Objects.requireNonNull(
                ExportedMetrics.class.getResourceAsStream("exported-metrics.txt"), "exported-metrics.txt")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Line::of)
                    .toList();
        } catch (IOException e) {
            throw new AssertionError("exported-metrics.txt cannot be read", e);
        }
    }
}
