package dev.tidemark.writer.http;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.node.IntNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.Problem;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.RowRefusedException;

import static org.assertj.core.api.Assertions.assertThat;

class CommandAnswersTest {
    @Test
    void aPatchedRowOfTooManyValuesIsTheProblemOfARowOfTooManyValues() {
        CommitOutcome refused = new CommitOutcome.Refused(RowRefusedException.Kind.TOO_MANY_VALUES, "too many");

        Problem problem = CommandAnswers.problem("customers", IntNode.valueOf(1), refused);

        assertThat(problem.status()).isEqualTo(400);
        assertThat(problem.type()).isEqualTo("tidemark:json-too-large");
        assertThat(problem.detail()).isEqualTo("too many");
    }

    @Test
    void aWriteThatTheDiskDidNotTakeInTimeMayBeDoneLater() {
        for (Exception failure : List.of(new TimeoutException(), new CompletionException(new TimeoutException()))) {
            Problem problem = Submitter.problem(failure);

            assertThat(problem.status()).isEqualTo(503);
            assertThat(problem.type()).isEqualTo("tidemark:outcome-unknown");
        }
    }
}
