package dev.tidemark.deploy.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.deploy.stack.Installation;

/**
 * What it costs to time every change: nanoseconds of processor time that the applying thread takes for one change.
 *
 * @param attached with the worker's listeners, which time and count
 * @param detached without
 * @param share how much more it was with them in the same round; negative when less, by chance
 */
public record ApplyCost(Spread attached, Spread detached, Spread share) {
    /** The cost is to be below this share. */
    public static final double TARGET = 0.02;

    private static final int CHANGES = 100_000;

    /** What a shard gets of a request with 50 rows, when there are 4 shards: these share their times. */
    private static final int ALIKE = 12;

    /** Whether the rounds agree well enough for the target to be told from chance. */
    public boolean isDecided() {
        return share.max() - share.min() <= TARGET || share.max() <= TARGET || share.min() > TARGET;
    }

    /** Measures in a process of its own that has the worker's settings. */
    static ApplyCost measure(Installation installation, Path catalog, Path directory, int rounds)
            throws BenchException, IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        installation.java().toString(),
                        "-Xms64m",
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        installation.serviceJar().toString(),
                        ApplyCostMain.class.getName(),
                        catalog.toString(),
                        directory.toString(),
                        Integer.toString(rounds),
                        Integer.toString(CHANGES),
                        Integer.toString(ALIKE))
                .redirectError(directory.resolve("apply-cost.log").toFile())
                .start();
        List<Double> attached = new ArrayList<>();
        List<Double> detached = new ArrayList<>();
        List<Double> share = new ArrayList<>();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int space = line.indexOf(' ');
                double with = Double.parseDouble(line.substring(0, space));
                double without = Double.parseDouble(line.substring(space + 1));
                attached.add(with);
                detached.add(without);
                share.add(with / without - 1);
            }
            if (process.waitFor() != 0 || attached.isEmpty()) {
                throw new BenchException(
                        "the cost of watching could not be measured; exit code " + process.exitValue());
            }
            return new ApplyCost(Spread.of(attached), Spread.of(detached), Spread.of(share));
        } finally {
            process.destroy();
        }
    }
}
