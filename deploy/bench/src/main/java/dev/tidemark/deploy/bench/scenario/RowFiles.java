package dev.tidemark.deploy.bench.scenario;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

import dev.tidemark.deploy.bench.CustomerRow;

/** Files with the rows of bulk loads, one for each round, no row twice. */
public final class RowFiles {
    private RowFiles() {}

    /**
     * Writes them, and syncs them, so that the disk has nothing left to do for them.
     *
     * @param suffix of their names
     * @param line the text of a row, with a line feed
     * @return the files, in the order of the rounds
     */
    public static Iterator<Path> write(ScenarioContext context, String suffix, Function<CustomerRow, String> line)
            throws IOException {
        List<Path> paths = new ArrayList<>();
        int rows = context.size().rows();
        for (int round = 0; round < context.size().allRounds(); round++) {
            Path path = context.stack().directory().resolve("rows-" + round + "." + suffix);
            try (BufferedWriter out = Files.newBufferedWriter(path)) {
                for (int i = 0; i < rows; i++) {
                    out.write(line.apply(CustomerRow.ofRow(round * rows + i)));
                }
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            paths.add(path);
        }
        return paths.iterator();
    }
}
