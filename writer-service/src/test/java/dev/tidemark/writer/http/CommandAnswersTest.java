package dev.tidemark.writer.http;

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
}
