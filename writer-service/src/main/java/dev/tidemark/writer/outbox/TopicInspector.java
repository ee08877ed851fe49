package dev.tidemark.writer.outbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.runtime.Agent;

/**
 * Looks at topics, makes and deletes them, beside the relay: the log may take seconds to answer, and what is published
 * must not wait for that. The relay asks, one question at a time; the thread of this agent answers.
 */
public final class TopicInspector implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(TopicInspector.class);

    private final ChangeTopics topics;
    private final Runnable asked;
    private final AtomicReference<@Nullable Question> next = new AtomicReference<>();

    /** What is to be done with one topic before it is looked at. */
    sealed interface Task {
        TableDefinition spec();

        /** Nothing. */
        record Look(TableDefinition spec) implements Task {}

        /** Make it, where it is absent. */
        record Make(TableDefinition spec) implements Task {}

        /** Delete it, whichever it is: the derived table is no more. */
        record Drop(TableDefinition spec) implements Task {}

        /**
         * Delete it, where it is still the one that was found. Where this writer may not, the answer is what was found.
         */
        record Delete(TableDefinition spec, TopicInspection.Found found) implements Task {}
    }

    /** Errands, and their answers by table. */
    record Question(List<Task> tasks, CompletableFuture<Map<String, TopicInspection>> answers) {}

    /**
     * Looks at topics.
     *
     * @param topics for this agent alone, but for what decides nothing
     * @param asked called by the relay's thread when there is a question
     */
    public TopicInspector(ChangeTopics topics, Runnable asked) {
        this.topics = topics;
        this.asked = asked;
    }

    /** Submits a question. It replaces a question that this agent has not begun to answer. */
    Question ask(List<Task> tasks) {
        Question question = new Question(List.copyOf(tasks), new CompletableFuture<>());
        next.set(question);
        asked.run();
        return question;
    }

    @Override
    public String roleName() {
        return "topics";
    }

    @Override
    public int doWork() throws InterruptedException {
        Question question = next.getAndSet(null);
        if (question == null) {
            return 0;
        }
        Map<String, TopicInspection> answers = new HashMap<>();
        for (Task task : question.tasks()) {
            answers.put(task.spec().name(), done(task));
        }
        question.answers().complete(answers);
        return 1;
    }

    private TopicInspection dropped(TableDefinition spec)
            throws PublishException, TopicRefusedException, InterruptedException {
        Optional<TopicStatus> found = topics.find(spec);
        return found.isEmpty() || topics.delete(spec, found.get())
                ? new TopicInspection.Absent()
                : new TopicInspection.Found(found.get(), Optional.empty());
    }

    private TopicInspection done(Task task) throws InterruptedException {
        try {
            if (task instanceof Task.Delete delete) {
                boolean gone = topics.delete(delete.spec(), delete.found().status());
                return gone ? new TopicInspection.Absent() : delete.found();
            }
            TableDefinition spec = task.spec();
            if (task instanceof Task.Drop) {
                return dropped(spec);
            }
            Optional<TopicStatus> status =
                    task instanceof Task.Make ? Optional.of(topics.create(spec)) : topics.find(spec);
            return status.isEmpty()
                    ? new TopicInspection.Absent()
                    : new TopicInspection.Found(status.get(), topics.objection(spec, status.get()));
        } catch (TopicRefusedException e) {
            return new TopicInspection.Forbidden(String.valueOf(e.getMessage()));
        } catch (PublishException e) {
            return new TopicInspection.Unknown(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOGGER.error("A look at the topic of table {} failed", task.spec().name(), e);
            return new TopicInspection.Unknown(e.toString());
        }
    }
}
