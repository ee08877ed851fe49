package dev.tidemark.deploy.bench.apply;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class WorkerPageTest {
    @Test
    void appliedChangesOfAllResultsAndTablesAreAddedUp() {
        assertThat(WorkerPage.of("""
                # TYPE tidemark_events_applied counter
                tidemark_events_applied_total{result="applied",table="a"} 1.0E3
                tidemark_events_applied_total{result="stale",table="b"} 20.0
                """)).isEqualTo(new WorkerPage(1_020, true));
    }

    @Test
    void aWorkerThatHasHadRecordsIsReadingBeforeItHasAppliedAny() {
        assertThat(WorkerPage.of("tidemark_kafka_consumer_records_consumed_rate{table=\"a\"} 16.5\n"))
                .isEqualTo(new WorkerPage(0, true));
    }

    @Test
    void aWorkerThatDoesNotAnswerOrHasNoRecordsYetIsNotReading() {
        assertThat(WorkerPage.of("")).isEqualTo(new WorkerPage(0, false));
        assertThat(WorkerPage.of("tidemark_kafka_consumer_records_consumed_rate NaN\n"))
                .isEqualTo(new WorkerPage(0, false));
    }
}
