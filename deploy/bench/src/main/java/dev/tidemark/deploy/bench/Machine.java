package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a benchmark runs.
 *
 * @param at when it began
 * @param processor its name, where the system reports it
 * @param processors how many this process may use
 * @param memory of the machine, as the system writes it
 * @param system name and version
 * @param java version and vendor
 * @param load mean number of processes that wanted a processor in the last minute, before the benchmark began; negative
 *     when not known
 */
public record Machine(
        Instant at, String processor, int processors, String memory, String system, String java, double load) {
    private static final String UNKNOWN = "unknown";

    /** This one, now. */
    public static Machine here(Clock clock) {
        return new Machine(
                clock.instant().truncatedTo(ChronoUnit.SECONDS),
                line("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                line("/proc/meminfo", "MemTotal"),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.runtime.version") + ", " + System.getProperty("java.vendor"),
                loadNow());
    }

    /** The load of the last minute; negative when not known. */
    public static double loadNow() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static String line(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            Optional<String> found = lines.filter(line -> line.startsWith(name)).findFirst();
            return found.map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /**
     * The first line of a report.
     *
     * @param rows of the table
     * @param rounds that medians are of
     */
    public String heading(int rows, int rounds) {
        return String.format(
                Locale.ROOT,
                "%s: %d processors (%s), %s of memory, %s, Java %s, load %.1f before; %,d rows, medians of %d rounds,"
                        + " smallest and largest in parentheses",
                at,
                processors,
                processor,
                memory,
                system,
                java,
                load,
                rows,
                rounds);
    }
}
