package dev.tidemark.worker.catalog;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.runtime.Agent;

/**
 * Follows the definitions of one deployment. A record in their topic is only a hint that the definitions may have
 * changed, because any client with write access may have written it. The agent requests the definitions from the
 * writer, stores them, and only then puts them in force. While the writer does not answer, or belongs to another
 * deployment, the known definitions stay in force, and nothing is dropped. If the topic contradicts the writer, the
 * agent ignores the record, reports it and queries the writer again. The agent also queries the writer at intervals,
 * because a partition without a leader brings neither a record nor an error.
 */
public final class DefinitionAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(DefinitionAgent.class);
    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final Duration WHILE_SILENT = Duration.ofSeconds(1);
    private static final Duration WHILE_DISAGREEING = Duration.ofSeconds(5);
    private static final Duration WHILE_SETTLED = Duration.ofSeconds(30);

    private final DefinitionSource source;
    private final WriterDefinitions writer;
    private final DefinitionFile file;
    private final FollowedDefinitions followed;
    private final Clock clock;
    private Optional<DefinitionSource.News> announced = Optional.empty();
    private boolean settled;
    private Instant askAt = Instant.MIN;
    private boolean failing;
    private String said = "";

    /** An agent that continues from the stored definitions. */
    public DefinitionAgent(
            DefinitionSource source,
            WriterDefinitions writer,
            DefinitionFile file,
            FollowedDefinitions followed,
            Clock clock) {
        this.source = source;
        this.writer = writer;
        this.file = file;
        this.followed = followed;
        this.clock = clock;
        file.load().ifPresent(kept -> followed.offer(kept.definitions(), kept.names()));
    }

    @Override
    public String roleName() {
        return "definitions";
    }

    @Override
    public int doWork() throws InterruptedException {
        Optional<DefinitionSource.News> read = read();
        if (read.isPresent()) {
            announced = read;
            settled = false;
            askAt = Instant.MIN;
        }
        if (clock.instant().isBefore(askAt)) {
            return read.isPresent() ? 1 : 0;
        }
        ask();
        return 1;
    }

    @Override
    public void onClose() {
        source.close();
    }

    private void ask() throws InterruptedException {
        try {
            Definitions answer = writer.ask();
            Optional<String> objection = objection(answer);
            settled = objection.isEmpty();
            askAt = clock.instant().plus(settled ? WHILE_SETTLED : WHILE_DISAGREEING);
            trouble(objection);
        } catch (WriterUnavailableException | IOException e) {
            askAt = clock.instant().plus(settled ? WHILE_SETTLED : WHILE_SILENT);
            boolean waits =
                    !followed.isKnown() || announced.filter(this::isOther).isPresent();
            trouble(waits ? Optional.of(waiting(String.valueOf(e.getMessage()))) : Optional.empty());
        }
    }

    /** Applies the definitions of the writer; returns what is wrong with them, or with those of the topic. */
    private Optional<String> objection(Definitions answer) throws IOException {
        String ours = followed.get().deployment();
        if (followed.isKnown() && !ours.isEmpty() && !ours.equals(answer.deployment())) {
            return Optional.of(
                    "the writer is of deployment " + answer.deployment() + ", and what this worker holds is of " + ours
                            + "; it stays with that. To follow the other one, start it with an empty data directory");
        }
        if (!followed.isKnown() || answer.version() > followed.get().version()) {
            BareNames names = followed.names().with(answer.catalog());
            file.keep(answer, names);
            followed.offer(answer, names);
            LOGGER.info("Version {} of the definitions is in force", answer.version());
        }
        return contradiction(answer).or(() -> disbelief(answer));
    }

    /** How the definitions of the writer contradict those that it has confirmed before. */
    private Optional<String> contradiction(Definitions answer) {
        Definitions known = followed.get();
        if (answer.version() < known.version()) {
            return Optional.of("the writer is at version " + answer.version()
                    + " of the definitions, but this worker follows version " + known.version()
                    + " of the same deployment, which stays in force until the writer has a later one");
        }
        return answer.equals(known.of(answer.deployment()))
                ? Optional.empty()
                : Optional.of("the writer has other definitions of version " + answer.version()
                        + " than this worker follows as version " + known.version()
                        + ", which stays in force until the writer has a later one");
    }

    /** Why the record in the topic is not believed; empty where it does not contradict the writer. */
    private Optional<String> disbelief(Definitions answer) {
        return announced
                .flatMap(DefinitionSource.News::definitions)
                .filter(record -> !record.equals(answer))
                .filter(record ->
                        !record.deployment().equals(answer.deployment()) || record.version() >= answer.version())
                .map(record -> "the topic of definitions ends with version " + record.version() + " of deployment "
                        + record.deployment() + ", but the writer is at version " + answer.version() + " of "
                        + answer.deployment() + "; the record is not believed");
    }

    private boolean isOther(DefinitionSource.News record) {
        return record.definitions().filter(followed.get()::equals).isEmpty();
    }

    private String waiting(String why) {
        return followed.isKnown()
                ? "the topic of definitions ends with another version than "
                        + followed.get().version() + ", which stays in force until the writer confirms it: " + why
                : "the writer is asked which definitions are in force: " + why;
    }

    private void trouble(Optional<String> what) {
        followed.trouble(what);
        String text = what.orElse("");
        if (!text.isEmpty() && !text.equals(said)) {
            LOGGER.warn("Definitions: {}", text);
        }
        said = text;
    }

    private Optional<DefinitionSource.News> read() throws InterruptedException {
        try {
            Optional<DefinitionSource.News> read = source.poll(PATIENCE);
            failing = false;
            return read;
        } catch (RuntimeException e) {
            if (!failing) {
                LOGGER.warn("The definitions cannot be read at the moment; those that are known stay in force", e);
            }
            failing = true;
            return Optional.empty();
        }
    }
}
