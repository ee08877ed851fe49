package dev.tidemark.deploy.bench;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The systems of a scenario. All are made ready for their first round.
 *
 * @param obstacle why the scenario cannot run at all on this machine; empty when it can
 * @param tidemark makes Tidemark
 * @param baselines those that {@link Scenario#baselines} names, in that order
 */
public record Suite(Optional<String> obstacle, Maker tidemark, List<SuiteBaseline> baselines) {
    /** The remedy where PostgreSQL is the baseline. */
    public static final String POSTGRES_REMEDY = "PostgreSQL is not installed; Debian's package postgresql brings it";

    /**
     * A system to compare with.
     *
     * @param maker makes it
     * @param remedy what would bring it, for when it is left out
     */
    public record SuiteBaseline(BaselineMaker maker, String remedy) {}

    public Suite {
        baselines = List.copyOf(baselines);
    }

    /** A suite that runs on every machine. */
    public Suite(Maker tidemark, BaselineMaker baseline, String remedy) {
        this(Optional.empty(), tidemark, List.of(new SuiteBaseline(baseline, remedy)));
    }

    /** Makes Tidemark. */
    @FunctionalInterface
    public interface Maker {
        /** Returns Tidemark on the stack of the context, with its rows. */
        Contender<Map<Figure, Double>> make(ScenarioContext context) throws Exception;
    }

    /** Makes a baseline. */
    @FunctionalInterface
    public interface BaselineMaker {
        /** Returns the baseline with the same rows; empty when it is not installed. */
        Optional<Contender<Map<Figure, Double>>> make(ScenarioContext context) throws Exception;
    }
}
