package dev.tidemark.deploy.bench.scenario;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.RoundSpread;

/**
 * One figure of a race.
 *
 * @param peer the same of the other; empty when that was left out
 */
public record FigureResult(Figure figure, RoundSpread tidemark, Optional<RoundSpread> peer) {
    private static final String NONE = "";

    /** Tidemark's median in terms of the peer's; empty without a peer. */
    public Optional<Double> ratio() {
        return peer.map(other -> tidemark.median() / other.median());
    }

    /** Cells of a table: what, beside what, the peer, Tidemark, ratio. */
    public List<String> cells(String peerName) {
        return List.of(
                figure.label(),
                peerName,
                peer.map(this::text).orElse("left out"),
                text(tidemark),
                ratio().map(ratio -> String.format(Locale.ROOT, "%.2f", ratio)).orElse(NONE));
    }

    /** Puts the same into JSON. */
    void into(ObjectNode json) {
        ObjectNode own = json.putObject(figure.key()).put("unit", figure.unit());
        put(own.putObject("tidemark"), tidemark);
        peer.ifPresent(other -> put(own.putObject("peer"), other));
        ratio().ifPresent(ratio -> own.put("ratio", ratio));
    }

    private String text(RoundSpread spread) {
        return figure.text(spread.median()) + " (" + figure.number(spread.min()) + " to " + figure.number(spread.max())
                + ")";
    }

    private static void put(ObjectNode json, RoundSpread spread) {
        json.put("median", spread.median()).put("min", spread.min()).put("max", spread.max());
    }
}
