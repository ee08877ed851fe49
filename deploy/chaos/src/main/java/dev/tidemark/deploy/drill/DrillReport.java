package dev.tidemark.deploy.drill;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.deploy.drill.fault.FaultKind;
import dev.tidemark.deploy.drill.history.DrillFindings;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.stack.Role;

/**
 * What a drill has done and found.
 *
 * @param rounds that are over
 * @param killed kills at random times, by process
 * @param places kills at named points, by their names; 0 for those that were not reached
 * @param faults how often each kind was done
 * @param skipped what could not be done, with the reason
 * @param counted operations and comparisons
 * @param probe what the prober found; empty while it runs
 * @param different how much is wrong
 * @param differences the first of it
 * @param directory of data, logs and history
 */
public record DrillReport(
        long seed,
        int rounds,
        Duration ran,
        Map<Role, Integer> killed,
        Map<String, Integer> places,
        Map<FaultKind, Integer> faults,
        Map<String, Integer> skipped,
        Map<DrillFindings.Kind, Long> counted,
        Optional<ProbeReport> probe,
        long different,
        List<String> differences,
        Path directory) {

    /** All kills, at random times and at points. */
    public int kills() {
        return killed.values().stream().mapToInt(Integer::intValue).sum()
                + places.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Points at which nothing was killed. */
    public List<String> missed() {
        return places.entrySet().stream()
                .filter(place -> place.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether nothing was found to be wrong. */
    public boolean isFine() {
        return different == 0;
    }
}
