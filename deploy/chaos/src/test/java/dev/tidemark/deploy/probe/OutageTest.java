package dev.tidemark.deploy.probe;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static dev.tidemark.deploy.probe.JudgeScript.at;
import static org.assertj.core.api.Assertions.assertThat;

class OutageTest {
    private final Coverage.Outage outage = new Coverage.Outage();

    @Test
    void lastsFromTheFirstQuestionWithoutAnswerToTheNextAnswer() {
        outage.answered(at(0), at(10));
        outage.unanswered(at(20));
        outage.unanswered(at(40));
        assertThat(outage.total(at(100)).total()).isEqualTo(Duration.ofMillis(80));

        outage.answered(at(110), at(120));
        assertThat(outage.total(at(500)).total()).isEqualTo(Duration.ofMillis(100));
        assertThat(outage.total(at(500)).times()).isEqualTo(1);
    }

    @Test
    void isNotEndedByTheAnswerToAnOlderQuestion() {
        outage.unanswered(at(20));
        outage.answered(at(10), at(30));

        assertThat(outage.total(at(100)).total()).isEqualTo(Duration.ofMillis(80));
    }
}
