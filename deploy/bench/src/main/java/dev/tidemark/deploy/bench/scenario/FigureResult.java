package dev.tidemark.deploy.bench.scenario;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Numbers;
import dev.tidemark.deploy.bench.RoundSpread;

/**
 * One figure of a scenario.
 *
 * @param baseline the same figure of the baseline; empty when that was left out
 */
public record FigureResult(Figure figure, RoundSpread tidemark, Optional<RoundSpread> baseline) {
    /** Tidemark's median in terms of the baseline's; empty without a baseline. */
    public Optional<Double> ratio() {
        return baseline.map(other -> tidemark.median() / other.median());
    }

    /** Cells of a table: what, beside what, the baseline, Tidemark, ratio. */
    List<String> cells(String name) {
        return List.of(
                figure.label(),
                name,
                baseline.map(this::text).orElse("left out"),
                text(tidemark),
                ratio().map(Numbers::hundredths).orElse(""));
    }

    /** Puts the same into JSON. */
    void into(ObjectNode json) {
        ObjectNode own = json.putObject(figure.key()).put("unit", figure.unit());
        own.set("tidemark", tidemark.json(""));
        baseline.ifPresent(other -> own.set("peer", other.json("")));
        ratio().ifPresent(ratio -> own.put("ratio", ratio));
    }

    private String text(RoundSpread spread) {
        return spread.text(figure::number, " " + figure.unit());
    }
}
