package dev.tidemark.deploy.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class DiskMeterTest {
    /** Of Linux 6.18. */
    private static final String IO = """
            rchar: 323934931
            wchar: 323929600
            syscr: 632687
            syscw: 632675
            read_bytes: 4096
            write_bytes: 1000
            cancelled_write_bytes: 0
            """;

    @TempDir
    Path directory = Path.of("");

    @Test
    void whatLiesOnDiskIsComparedWithTheEntriesAndWhatWasWrittenWithTheRows() throws Exception {
        CustomerRow only = CustomerRow.ofChange(0);
        int row = only.bytes().length;
        int entry = row + (only.town() + only.lastName() + only.id()).length();
        Files.write(Files.createDirectory(directory.resolve("shard")).resolve("file"), new byte[3 * entry]);
        ApplyBenchmark.DiskMeter meter = new ApplyBenchmark.DiskMeter(1);

        Map<Figure, Double> found = meter.look(directory, IO);

        assertThat(found).containsEntry(ApplyBenchmark.SPACE, 3.0);
        assertThat(found.get(ApplyBenchmark.WRITES)).isCloseTo(1_000.0 / row, within(1e-9));
    }

    @Test
    void aSystemThatDoesNotTellLeavesWritesOut() throws Exception {
        ApplyBenchmark.DiskMeter meter = new ApplyBenchmark.DiskMeter(1);

        assertThat(meter.look(directory, "")).containsOnlyKeys(ApplyBenchmark.SPACE);
    }
}
