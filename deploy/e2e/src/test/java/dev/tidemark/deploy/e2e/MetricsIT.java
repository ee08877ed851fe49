package dev.tidemark.deploy.e2e;

import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.meters.MetricsPage;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.index.IndexDefinition;

import static org.assertj.core.api.Assertions.assertThat;

/** Metric names are public API: each is there, described, and says something that can be true. */
@ExtendWith(SharedStack.class)
class MetricsIT {
    private static final String TABLE = "people";
    private static final Map<String, String> OF_THE_WORKER = Map.of(
            "tidemark_index_freshness_seconds", "gauge",
            "tidemark_index_lag_seconds", "gauge",
            "tidemark_index_lag_records", "gauge",
            "tidemark_visibility_seconds", "histogram",
            "tidemark_stage_seconds", "histogram",
            "tidemark_index_state", "gauge",
            "tidemark_index_entries", "gauge",
            "tidemark_events_applied_total", "counter");
    private static final Map<String, String> OF_A_TABLE = Map.of(
            "tidemark_table_arrival_rate", "gauge",
            "tidemark_table_apply_rate", "gauge",
            "tidemark_catch_up_eta_seconds", "gauge");
    private static final Map<String, String> OF_THE_WRITER = Map.of(
            "tidemark_index_freshness_seconds", "gauge",
            "tidemark_outbox_pending_records", "gauge",
            "tidemark_outbox_oldest_age_seconds", "gauge",
            "tidemark_commit_wait_seconds", "histogram",
            "tidemark_rows_committed_total", "counter");
    private static final List<String> STATES =
            List.of("steady", "catching_up", "restoring", "degraded", "paused", "unknown");

    private final StackUnderTest stack;

    MetricsIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @BeforeEach
    void writeSomething() throws Exception {
        People people = new People(new Random(12));
        for (int i = 0; i < 20; i++) {
            stack.facts().put(TABLE, "metered-" + i, people.row("metered-" + i)).requireOk();
        }
        stack.facts().delete(TABLE, "metered-0").requireOk();
        stack.settle(TABLE);
    }

    @Test
    void everyMetricOfTheContractIsThereWithTypeAndDescription() throws Exception {
        requireDescribed(stack.facts().metrics(), OF_THE_WRITER);
        requireDescribed(stack.indexes().metrics(), OF_THE_WORKER);
        requireDescribed(stack.indexes().metrics(), OF_A_TABLE);
    }

    @Test
    void everyMeterOfBothServicesHasADescription() throws Exception {
        for (MetricsPage page : List.of(stack.facts().metrics(), stack.indexes().metrics())) {
            assertThat(page.types().keySet())
                    .as("meters")
                    .hasSizeGreaterThan(30)
                    .allSatisfy(name -> assertThat(page.help().getOrDefault(name, ""))
                            .as("description of %s", name)
                            .isNotBlank()
                            .isNotEqualTo("HELP"));
            assertThat(page.types().keySet()).anyMatch(name -> name.startsWith("jvm_"));
            assertThat(page.types().keySet()).anyMatch(name -> name.contains("kafka"));
            assertThat(page.types().keySet()).anyMatch(name -> name.contains("rocksdb"));
        }
    }

    @Test
    void gaugesOfAnIdleTableAreAtRest() throws Exception {
        TableDefinition table = stack.table(TABLE);
        MetricsPage worker = stack.indexes().metrics();
        for (IndexDefinition index : table.indexes()) {
            String[] labels = {"table", TABLE, "index", index.name()};
            assertThat(worker.values("tidemark_index_freshness_seconds", labels))
                    .singleElement()
                    .satisfies(seconds -> assertThat(seconds).isBetween(0.0, 2.0));
            assertThat(worker.values("tidemark_index_entries", labels)).containsExactly((double)
                    stack.indexes().entries(index.qualifiedName()).size());
            for (String meter : List.of("tidemark_index_lag_seconds", "tidemark_index_lag_records")) {
                assertThat(worker.values(meter, labels))
                        .as("%s of %s", meter, index.name())
                        .hasSize(table.partitions())
                        .allSatisfy(value -> assertThat(value).isBetween(0.0, 3.0));
            }
            assertThat(worker.sum("tidemark_index_state", labels))
                    .as("states at once")
                    .isEqualTo(1);
            for (String state : STATES) {
                assertThat(worker.values("tidemark_index_state", "index", index.name(), "table", TABLE, "state", state))
                        .containsExactly(state.equals("steady") ? 1.0 : 0.0);
            }
            assertThat(worker.sum("tidemark_visibility_seconds_count", labels)).isPositive();
            assertThat(worker.values("tidemark_visibility_seconds_bucket", labels))
                    .isNotEmpty();
        }
    }

    @Test
    void countersTellWhatWasWritten() throws Exception {
        MetricsPage before = stack.facts().metrics();
        MetricsPage appliedBefore = stack.indexes().metrics();
        writeSomething();
        MetricsPage after = stack.facts().metrics();
        MetricsPage appliedAfter = stack.indexes().metrics();
        String[] labels = {"table", TABLE};
        assertThat(after.sum("tidemark_rows_committed_total", labels)
                        - before.sum("tidemark_rows_committed_total", labels))
                .isEqualTo(21);
        assertThat(after.sum("tidemark_rows_committed_total", "table", TABLE, "op", "delete")
                        - before.sum("tidemark_rows_committed_total", "table", TABLE, "op", "delete"))
                .isEqualTo(1);
        assertThat(appliedAfter.sum("tidemark_events_applied_total", "table", TABLE, "result", "applied")
                        - appliedBefore.sum("tidemark_events_applied_total", "table", TABLE, "result", "applied"))
                .isPositive();
        assertThat(after.sum("tidemark_outbox_pending_records", labels)).isZero();
        assertThat(after.sum("tidemark_outbox_oldest_age_seconds", labels)).isZero();
    }

    private static void requireDescribed(MetricsPage page, Map<String, String> expected) {
        expected.forEach((name, type) -> {
            String family = type.equals("counter") && !page.types().containsKey(name)
                    ? name.substring(0, name.length() - "_total".length())
                    : name;
            assertThat(page.types()).as("type of %s", name).containsEntry(family, type);
            assertThat(page.help().getOrDefault(family, ""))
                    .as("description of %s", name)
                    .isNotBlank();
            String sample = type.equals("histogram") ? name + "_count" : name;
            assertThat(page.values(sample)).as("values of %s", name).isNotEmpty();
        });
    }
}
