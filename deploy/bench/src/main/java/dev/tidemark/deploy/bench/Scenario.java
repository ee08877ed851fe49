package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import dev.tidemark.deploy.stack.StackSettings;

/**
 * A benchmark in which Tidemark and baselines do the same work in turn.
 *
 * @param name on the command line, in reports and in JSON
 * @param description what it is, in the first line, and how it is measured, in the second
 * @param figures what comes out of each round
 * @param quick a small size
 * @param usual the size whose medians count; 1 s stands for rounds that last as long as their work
 * @param setup what is particular to its stack
 * @param tidemark makes Tidemark, ready for its first round
 * @param baselines what Tidemark is compared with, in the order of the report
 */
record Scenario(
        String name,
        String description,
        List<Figure> figures,
        ScenarioSize quick,
        ScenarioSize usual,
        Setup setup,
        Maker tidemark,
        List<ScenarioBaseline> baselines) {
    /** Makes Tidemark. */
    @FunctionalInterface
    interface Maker {
        /** Returns Tidemark on the stack of the context, with its rows. */
        Contender make(ScenarioContext context) throws Exception;
    }

    /** Makes a baseline. */
    @FunctionalInterface
    interface BaselineMaker {
        /** Returns the baseline with the same rows; empty when it is not installed. */
        Optional<Contender> make(ScenarioContext context) throws Exception;
    }

    /**
     * A system to compare with.
     *
     * @param name for progress lines and tables
     * @param remedy what would bring it, for when it is left out
     * @param maker makes it, ready for its first round
     */
    record ScenarioBaseline(String name, String remedy, BaselineMaker maker) {
        /** The remedy where PostgreSQL is the baseline. */
        static final String POSTGRES_REMEDY = "PostgreSQL is not installed; Debian's package postgresql brings it";
    }

    /**
     * What a scenario needs besides the usual stack.
     *
     * @param obstacle why it cannot run at all on this machine; empty when it can
     * @param catalog the text of the catalog; empty for that of the benchmarks
     * @param settings changes those of the stack
     */
    record Setup(Optional<String> obstacle, String catalog, UnaryOperator<StackSettings> settings) {
        static final Setup USUAL = new Setup(Optional.empty(), "");

        /** With the usual settings. */
        Setup(Optional<String> obstacle, String catalog) {
            this(obstacle, catalog, UnaryOperator.identity());
        }
    }

    /** The names of the baselines, for JSON. */
    String besides() {
        return String.join(", ", baselines.stream().map(ScenarioBaseline::name).toList());
    }

    /**
     * How much is run.
     *
     * @param rounds of each, from 1
     * @param warmUps rounds before them, which do not count
     * @param time of a round, where a round lasts for a time
     * @param rows that are worked on, from 1; the scenario gives their kind
     */
    record ScenarioSize(int rounds, int warmUps, Duration time, int rows) {
        /** A size whose time is in seconds. */
        ScenarioSize(int rounds, int warmUps, int seconds, int rows) {
            this(rounds, warmUps, Duration.ofSeconds(seconds), rows);
        }

        /** The time of the part of a round that has one connection. */
        Duration timeAlone() {
            return Duration.ofSeconds(Math.max(1, time.toSeconds() / 2));
        }
    }
}
