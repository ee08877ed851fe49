package dev.tidemark.deploy.bench.cli;

import java.util.ArrayList;
import java.util.List;

/** Which benchmarks the whole suite runs, and how large each is. */
final class BenchSuite {
    private static final List<String> WHOLE = List.of(
            "visibility --time 5s --rounds 5 --warm-up 15s --cost-rounds 5",
            "apply",
            "indexes --changes 100000 --rounds 1",
            "put --time 6s",
            "query --time 6s",
            "bulk",
            "join --rows 500000",
            "restart --entries 2000000",
            "clients",
            "build --rows 500000",
            "verify --rows 500000",
            "growth --rows 200000,2000000 --changes 200000 --rounds 1 --time 5s");

    private static final List<String> QUICK = List.of(
            "visibility --rate 1000 --time 2s --rounds 1 --warm-up 1s --cost-rounds 0",
            "apply --changes 30000 --rounds 1",
            "put --quick --rounds 1",
            "query --quick --rounds 1",
            "bulk --quick --rounds 1",
            "join --rows 30000 --rounds 1",
            "restart --entries 20000 --rounds 1",
            "clients --quick --rounds 1");

    private BenchSuite() {}

    /**
     * The arguments of each benchmark, its name first.
     *
     * @param common options that all of them get
     */
    static List<List<String>> steps(boolean quick, List<String> common) {
        List<List<String>> steps = new ArrayList<>();
        for (String line : quick ? QUICK : WHOLE) {
            List<String> step = new ArrayList<>(List.of(line.split(" ", -1)));
            step.addAll(common);
            steps.add(step);
        }
        return steps;
    }
}
