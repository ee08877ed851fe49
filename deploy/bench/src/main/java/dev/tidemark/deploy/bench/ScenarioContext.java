package dev.tidemark.deploy.bench;

import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

import dev.tidemark.deploy.bench.Scenario.ScenarioSize;

/**
 * Where a scenario runs.
 *
 * @param stack running; Tidemark's
 */
record ScenarioContext(BenchStack stack, ScenarioSize size) {
    /** The same on a second stack, whose fact tables are in PostgreSQL, and which ends with the first. */
    ScenarioContext withFactsInPostgres() throws Exception {
        BenchStack other = BenchStack.start(
                stack.bench(),
                "",
                settings -> BenchStack.keepingRecords(settings).withOwnPostgresql());
        stack.atEnd(other::closeQuietly);
        return new ScenarioContext(other, size);
    }

    /** Tidemark with all rows of the size in its index. */
    TidemarkTarget filledTable() throws Exception {
        TidemarkTarget tidemark = stack.tidemark();
        tidemark.load(CustomerRow.table(size.rows()));
        return tidemark;
    }

    /**
     * Writes files with the rows of bulk loads, one for each round, no row twice, and syncs them, so that the disk has
     * nothing left to do for them.
     *
     * @param suffix of their names
     * @param line the text of a row, with a line feed
     * @return the files, in the order of the rounds
     */
    Iterator<Path> rowFiles(String suffix, Function<CustomerRow, String> line) throws IOException {
        List<Path> paths = new ArrayList<>();
        for (int round = 0; round < size.warmUps() + size.rounds(); round++) {
            Path path = stack.directory().resolve("rows-" + round + "." + suffix);
            try (FileOutputStream file = new FileOutputStream(path.toFile());
                    Writer out = new BufferedWriter(new OutputStreamWriter(file, StandardCharsets.UTF_8))) {
                for (int i = 0; i < size.rows(); i++) {
                    out.write(line.apply(CustomerRow.ofRow(round * size.rows() + i)));
                }
                out.flush();
                file.getFD().sync();
            }
            paths.add(path);
        }
        return paths.iterator();
    }
}
