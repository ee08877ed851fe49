package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.writer.outbox.TopicInspector.Task;
import dev.tidemark.writer.testkit.InMemoryLog;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;

class TopicInspectorTest {
    private static final TableDefinition SPEC = TestTables.CUSTOMERS;

    private final InMemoryLog log = new InMemoryLog();
    private final AtomicInteger rung = new AtomicInteger();
    private final TopicInspector looks = new TopicInspector(log, rung::incrementAndGet);

    @Test
    void answersOneQuestionAndThenRests() throws Exception {
        log.makeTopic("customers", 4);

        TopicInspector.Question question = looks.ask(List.of(new Task.Look(SPEC)));
        assertThat(rung).hasValue(1);
        assertThat(looks.doWork()).isEqualTo(1);
        assertThat(looks.doWork()).isZero();

        assertThat(question.answers().join()).containsOnlyKeys("customers");
        assertThat(question.answers().join().get("customers")).isInstanceOf(TopicInspection.Found.class);
    }

    @Test
    void itsThreadIsNamedAfterIt() {
        assertThat(looks.roleName()).isEqualTo("topics");
    }

    @Test
    void saysWhyTheLogDoesNotLetItOrDoesNotAnswer() throws Exception {
        log.makeTopic("customers", 4);
        assertThat(look(new TopicRefusedException("customers", "not authorized")))
                .isInstanceOfSatisfying(
                        TopicInspection.Forbidden.class,
                        no -> assertThat(no.reason()).contains("not authorized"));
        assertThat(look(new PublishException("no leader"))).isEqualTo(new TopicInspection.Unknown("no leader"));
        assertThat(look(new IllegalStateException("broken")))
                .isInstanceOfSatisfying(
                        TopicInspection.Unknown.class,
                        no -> assertThat(no.reason()).contains("broken"));
    }

    /** What a look tells where finding the topic fails. */
    private TopicInspection look(Exception reason) throws Exception {
        TopicInspector failing = new TopicInspector(new Failing(log, reason), () -> {});
        TopicInspector.Question question = failing.ask(List.of(new Task.Look(SPEC)));
        failing.doWork();
        return question.answers().join().values().iterator().next();
    }

    private record Failing(ChangeTopics topics, Exception reason) implements ChangeTopics {
        @Override
        public Optional<TopicStatus> find(TableDefinition spec) throws PublishException, TopicRefusedException {
            if (reason instanceof PublishException failure) {
                throw failure;
            } else if (reason instanceof TopicRefusedException refusal) {
                throw refusal;
            }
            throw (RuntimeException) reason;
        }

        @Override
        public TopicStatus create(TableDefinition spec)
                throws PublishException, TopicRefusedException, InterruptedException {
            return topics.create(spec);
        }

        @Override
        public boolean delete(TableDefinition spec, TopicStatus found) throws PublishException, InterruptedException {
            return topics.delete(spec, found);
        }

        @Override
        public Optional<String> objection(TableDefinition spec, TopicStatus status) {
            return topics.objection(spec, status);
        }
    }
}
