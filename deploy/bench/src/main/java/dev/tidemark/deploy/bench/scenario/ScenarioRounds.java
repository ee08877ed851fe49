package dev.tidemark.deploy.bench.scenario;

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
import dev.tidemark.deploy.bench.RoundSpread;

/** Rounds of all racers in turn. */
public final class ScenarioRounds {
    private final Scenario scenario;
    private final ScenarioSize size;
    private final Consumer<String> progress;

    /** @param progress receives each finished step, as one line */
    public ScenarioRounds(Scenario scenario, ScenarioSize size, Consumer<String> progress) {
        this.scenario = scenario;
        this.size = size;
        this.progress = progress;
    }

    /** Runs it all; an outcome for each figure of the course. */
    public List<FigureResult> run(Contender tidemark, Optional<Contender> peer)
            throws BenchException, IOException, InterruptedException {
        List<Contender> turns = new ArrayList<>();
        turns.add(tidemark);
        peer.ifPresent(turns::add);
        Map<Contender, Map<Figure, List<Double>>> found = new HashMap<>();
        for (int round = 1 - size.warmUps(); round <= size.rounds(); round++) {
            for (Contender contender : turns) {
                Map<Figure, Double> numbers = contender.run();
                tell(round, contender, numbers);
                if (round > 0) {
                    keep(numbers, found.computeIfAbsent(contender, other -> new EnumMap<>(Figure.class)));
                }
            }
            // The other way round next, so that none always comes after the same other.
            Collections.reverse(turns);
        }
        return scenario.figures().stream()
                .map(figure -> new FigureResult(
                        figure, spread(found, tidemark, figure), peer.map(other -> spread(found, other, figure))))
                .toList();
    }

    private void keep(Map<Figure, Double> numbers, Map<Figure, List<Double>> rounds) {
        for (Figure figure : scenario.figures()) {
            rounds.computeIfAbsent(figure, other -> new ArrayList<>()).add(numbers.getOrDefault(figure, Double.NaN));
        }
    }

    private void tell(int round, Contender contender, Map<Figure, Double> numbers) {
        StringBuilder text = new StringBuilder(scenario.label()).append(", ");
        text.append(round < 1 ? "warming up" : String.format(Locale.ROOT, "round %d of %d", round, size.rounds()))
                .append(": ")
                .append(contender.name());
        numbers.forEach((figure, number) -> text.append(' ').append(figure.text(number)));
        progress.accept(text.toString());
    }

    private static RoundSpread spread(
            Map<Contender, Map<Figure, List<Double>>> found, Contender contender, Figure figure) {
        return RoundSpread.of(found.getOrDefault(contender, Map.of()).getOrDefault(figure, List.of()));
    }
}
