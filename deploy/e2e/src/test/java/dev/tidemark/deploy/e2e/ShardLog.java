package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the shards of a worker are doing with their generations, by what it logs; so it is known after a kill, too. */
final class ShardLog {
    private static final Pattern BEGINS = Pattern.compile("Shard (\\S+) begins generation (\\d+): (\\w+)\\[");
    private static final Pattern PASSES = Pattern.compile("Generation (\\d+) of shard (\\S+) is now (\\w+)\\[");
    private static final Pattern DROPS = Pattern.compile("Shard (\\S+) has dropped generation (\\d+)");

    private final Path log;

    /** What a kill can interrupt. */
    enum Moment {
        BUILDING,
        VERIFYING,
        /** A generation serves in some shards and not yet in the others. */
        SWITCHING,
        /** A generation is gone from some shards and not yet from the others, or a shard is about to drop it. */
        DROPPING
    }

    ShardLog(Path log) {
        this.log = log;
    }

    /** What is going on now. */
    Set<Moment> moments() throws IOException {
        Map<Long, Map<String, String>> generations = read();
        Set<Moment> moments = EnumSet.noneOf(Moment.class);
        generations.values().forEach(shards -> {
            List<String> phases = new ArrayList<>(shards.values());
            boolean leaves = phases.contains("Dropping") || phases.contains("gone");
            if (leaves && phases.stream().anyMatch(phase -> !phase.equals("gone"))) {
                moments.add(Moment.DROPPING);
            } else if (!leaves && phases.contains("Ready") && phases.stream().anyMatch(ShardLog::comes)) {
                moments.add(Moment.SWITCHING);
            }
            if (!leaves && phases.contains("Building")) {
                moments.add(Moment.BUILDING);
            } else if (!leaves && phases.contains("Verifying")) {
                moments.add(Moment.VERIFYING);
            }
        });
        return moments;
    }

    /** In how many shards a generation has ever been in a phase. */
    long shardsThatWere(long generation, String phase) throws IOException {
        return lines().stream()
                .map(PASSES::matcher)
                .filter(passes -> passes.find()
                        && Long.parseLong(passes.group(1)) == generation
                        && passes.group(3).equals(phase))
                .map(passes -> passes.group(2))
                .distinct()
                .count();
    }

    private static boolean comes(String phase) {
        return phase.equals("Building") || phase.equals("Verifying");
    }

    /** By generation and shard, the last phase. */
    private Map<Long, Map<String, String>> read() throws IOException {
        Map<Long, Map<String, String>> generations = new TreeMap<>();
        for (String line : lines()) {
            Matcher begins = BEGINS.matcher(line);
            Matcher passes = PASSES.matcher(line);
            Matcher drops = DROPS.matcher(line);
            if (begins.find()) {
                note(generations, begins.group(2), begins.group(1), begins.group(3));
            } else if (passes.find()) {
                note(generations, passes.group(1), passes.group(2), passes.group(3));
            } else if (drops.find()) {
                note(generations, drops.group(2), drops.group(1), "gone");
            }
        }
        return generations;
    }

    private static void note(
            Map<Long, Map<String, String>> generations, String generation, String shard, String phase) {
        generations
                .computeIfAbsent(Long.parseLong(generation), unseen -> new TreeMap<>())
                .put(shard, phase);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(log);
    }
}
