package dev.tidemark.deploy.stack;

import java.nio.file.Files;
import java.util.List;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

/** What a service may hold at most, against the heap that it is started with. */
class HeapTest {
    private static final long MIB = 1 << 20;

    /**
     * The collector divides the young generation into eden and two parts of this size, one of which is always empty.
     */
    private static final int PARTS_OF_YOUNG = 10;

    /** A fetch, as it came, of each consumer that is open for long: for changes and for builds. */
    private static final long FETCHES = 2 * 16 * MIB;

    private static final long PRODUCER = Long.parseLong(
            String.valueOf(ProducerConfig.configDef().defaultValues().get(ProducerConfig.BUFFER_MEMORY_CONFIG)));

    @Test
    void theLauncherGivesServicesTheHeapThatAStackGivesThem() throws Exception {
        assertThat(Files.readString(SourceTree.ofProject().root().resolve("deploy/tidemark")))
                .contains(String.join(" ", ChildSpecs.SERVICE_HEAP));
    }

    @Test
    void theBudgetAndWhatClientsOfKafkaHoldFitIntoTheOldGeneration() {
        long heap = bytes("-Xmx");
        long young = bytes("-Xmn");
        // As a process sees it; row caches are a part of it.
        long budget = (heap - young / PARTS_OF_YOUNG) / 2;

        assertThat(List.of(budget + FETCHES, budget + PRODUCER + FETCHES / 2))
                .allSatisfy(most -> assertThat(most).isLessThanOrEqualTo(heap - young));
    }

    private static long bytes(String flag) {
        String given = ChildSpecs.SERVICE_HEAP.stream()
                .filter(one -> one.startsWith(flag))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(given.substring(flag.length(), given.length() - 1)) * MIB;
    }
}
