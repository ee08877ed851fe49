package dev.tidemark.deploy.bench;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class WorkerPageTest {
    @Test
    void appliedChangesOfAllResultsAndTablesAreAddedUp() {
        assertThat(StackWorker.WorkerPage.of("""
                # TYPE tidemark_events_applied counter
                tidemark_events_applied_total{result="applied",table="a"} 1.0E3
                tidemark_events_applied_total{result="stale",table="b"} 20.0
                """)).isEqualTo(new StackWorker.WorkerPage(1_020, true));
    }

    @Test
    void aWorkerThatHasHadRecordsIsReadingBeforeItHasAppliedAny() {
        assertThat(StackWorker.WorkerPage.of("tidemark_kafka_consumer_records_consumed_rate{table=\"a\"} 16.5\n"))
                .isEqualTo(new StackWorker.WorkerPage(0, true));
    }

    @Test
    void aWorkerThatDoesNotAnswerOrHasNoRecordsYetIsNotReading() {
        assertThat(StackWorker.WorkerPage.of("")).isEqualTo(new StackWorker.WorkerPage(0, false));
        assertThat(StackWorker.WorkerPage.of("tidemark_kafka_consumer_records_consumed_rate NaN\n"))
                .isEqualTo(new StackWorker.WorkerPage(0, false));
    }
}
