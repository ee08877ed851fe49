package dev.tidemark.deploy.bench.race;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.tidemark.deploy.bench.Customer;

/**
 * Files with the rows of bulk loads, one for each round, no row twice.
 *
 * @param paths in the order of the rounds
 */
public record RowFiles(List<Path> paths) {
    public RowFiles {
        paths = List.copyOf(paths);
    }

    /**
     * Writes them, and syncs them, so that the disk has nothing left to do for them.
     *
     * @param suffix of their names
     * @param line the text of a row, with a line feed
     */
    public static RowFiles write(Ground ground, String suffix, Function<Customer, String> line) throws IOException {
        List<Path> paths = new ArrayList<>();
        int rows = ground.size().rows();
        for (int round = 0; round < ground.size().allRounds(); round++) {
            Path path = ground.scratch().resolve("rows-" + round + "." + suffix);
            try (BufferedWriter out = Files.newBufferedWriter(path)) {
                for (int i = 0; i < rows; i++) {
                    out.write(line.apply(Customer.ofRow(round * rows + i)));
                }
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            paths.add(path);
        }
        return new RowFiles(paths);
    }
}
