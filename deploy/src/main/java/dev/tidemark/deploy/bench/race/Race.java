package dev.tidemark.deploy.bench.race;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Spread;

/** Rounds of all racers in turn. */
public final class Race {
    private final Course course;
    private final RaceSize size;
    private final Consumer<String> progress;

    /** A race that tells {@code progress} what is done, a line at a time. */
    public Race(Course course, RaceSize size, Consumer<String> progress) {
        this.course = course;
        this.size = size;
        this.progress = progress;
    }

    /** Runs it all; an outcome for each figure of the course. */
    public List<Outcome> run(Racer tidemark, Optional<Racer> peer)
            throws BenchException, IOException, InterruptedException {
        List<Racer> turns = new ArrayList<>();
        turns.add(tidemark);
        peer.ifPresent(turns::add);
        Map<Racer, Map<Figure, List<Double>>> found = new HashMap<>();
        for (int round = 1 - size.warmUps(); round <= size.rounds(); round++) {
            for (Racer racer : turns) {
                Map<Figure, Double> numbers = racer.run();
                tell(round, racer, numbers);
                if (round > 0) {
                    keep(numbers, found.computeIfAbsent(racer, other -> new EnumMap<>(Figure.class)));
                }
            }
            // The other way round next, so that none always comes after the same other.
            Collections.reverse(turns);
        }
        return course.figures().stream()
                .map(figure -> new Outcome(
                        figure, spread(found, tidemark, figure), peer.map(other -> spread(found, other, figure))))
                .toList();
    }

    private void keep(Map<Figure, Double> numbers, Map<Figure, List<Double>> rounds) {
        for (Figure figure : course.figures()) {
            rounds.computeIfAbsent(figure, other -> new ArrayList<>()).add(numbers.getOrDefault(figure, Double.NaN));
        }
    }

    private void tell(int round, Racer racer, Map<Figure, Double> numbers) {
        StringBuilder text = new StringBuilder(course.label()).append(", ");
        text.append(round < 1 ? "warming up" : String.format(Locale.ROOT, "round %d of %d", round, size.rounds()))
                .append(": ")
                .append(racer.name());
        numbers.forEach((figure, number) -> text.append(' ').append(figure.text(number)));
        progress.accept(text.toString());
    }

    private static Spread spread(Map<Racer, Map<Figure, List<Double>>> found, Racer racer, Figure figure) {
        return Spread.of(found.getOrDefault(racer, Map.of()).getOrDefault(figure, List.of()));
    }
}
