package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.tidemark.deploy.bench.CustomerRow;

/** Compares what a worker keeps and writes with the rows that it got. For one thread. */
final class DiskMeter {
    private static final Pattern WRITTEN = Pattern.compile("(?m)^write_bytes: (\\d+)$");

    private final long live;
    private final long applied;
    private final List<Double> space = new ArrayList<>();
    private final List<Double> writes = new ArrayList<>();

    /** @param changes number of changes, from the first on */
    DiskMeter(int changes) {
        Map<Integer, Integer> bytesOfRow = new HashMap<>();
        long all = 0;
        for (int i = 0; i < changes; i++) {
            CustomerRow customer = CustomerRow.ofChange(i);
            bytesOfRow.put(customer.id(), customer.bytes().length + keyBytes(customer));
            all += customer.bytes().length;
        }
        this.live = bytesOfRow.values().stream().mapToLong(Integer::longValue).sum();
        this.applied = all;
    }

    /**
     * Looks at a worker that has caught up.
     *
     * @param directory of all that it keeps
     * @param io what the system reports of its input and output; empty where it does not
     */
    void look(Path directory, String io) throws IOException {
        HeldBytes held = new HeldBytes();
        Files.walkFileTree(directory, held);
        space.add((double) held.sum() / live);
        written(io).ifPresent(bytes -> writes.add((double) bytes / applied));
    }

    DiskUse found() {
        return new DiskUse(space, writes);
    }

    /** The bytes that a process has caused to be written to disk, from its file {@code io} below {@code /proc}. */
    static OptionalLong written(String io) {
        Matcher found = WRITTEN.matcher(io);
        return found.find() ? OptionalLong.of(Long.parseLong(found.group(1))) : OptionalLong.empty();
    }

    /** Returns the size of town, last name and primary key as text, which the key of an entry has to hold. */
    private static int keyBytes(CustomerRow customer) {
        return (customer.town() + customer.lastName() + customer.id()).getBytes(StandardCharsets.UTF_8).length;
    }
}
