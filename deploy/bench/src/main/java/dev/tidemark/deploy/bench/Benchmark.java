package dev.tidemark.deploy.bench;

import java.util.List;

import picocli.CommandLine.Model.OptionSpec;

/**
 * One benchmark: its command, and what the command measures.
 *
 * @param name on the command line, in reports and in JSON
 * @param description lines above the options of the help; the first is the summary
 * @param footer lines below the options
 * @param sameDisk whether the disk of the temporary directory takes part in the result
 * @param options besides those of every benchmark
 * @param measurement what it does
 */
public record Benchmark(
        String name,
        String description,
        String footer,
        boolean sameDisk,
        List<OptionSpec> options,
        Measurement measurement) {
    /** Measures. */
    @FunctionalInterface
    public interface Measurement {
        /**
         * Runs all rounds with these options.
         *
         * @throws BenchException when a round failed or a program is missing
         */
        Report run(Arguments arguments, Bench bench) throws Exception;
    }
}
