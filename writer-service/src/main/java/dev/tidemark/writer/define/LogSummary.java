package dev.tidemark.writer.define;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;

/** What a log of definitions holds, for the writer of one deployment. */
final class LogSummary {
    private final DefinitionSeal seal;
    private final String deployment;
    private Optional<Definitions> own = Optional.empty();
    private long epoch;
    private Last last = Last.NONE;
    private String about = "";

    /** What the last record is. */
    enum Last {
        /** There is none. */
        NONE,
        /** It was published by this deployment. */
        OWN,
        /** It says that it is of another deployment. */
        FOREIGN,
        /** It cannot be read, or is sealed by nobody whom this writer knows. */
        WORTHLESS
    }

    LogSummary(DefinitionSeal seal, String deployment) {
        this.seal = seal;
        this.deployment = deployment;
    }

    void add(LoggedDefinitions message) {
        try {
            Definitions read = DefinitionsJson.read(message.json().getBytes(StandardCharsets.UTF_8));
            if (seal.isOn(message)) {
                addOwn(read, message.epoch());
            } else if (read.deployment().isEmpty() || read.deployment().equals(deployment)) {
                end(Last.WORTHLESS, "its version " + read.version() + " lacks the seal of this deployment");
            } else {
                end(Last.FOREIGN, "version " + read.version() + " of deployment " + read.deployment());
            }
        } catch (BadDefinitionsException e) {
            end(Last.WORTHLESS, String.valueOf(e.getMessage()));
        }
    }

    /** The latest version that this deployment published. */
    Optional<Definitions> own() {
        return own;
    }

    /** The epoch of the writer that published it. */
    long epoch() {
        return epoch;
    }

    Last last() {
        return last;
    }

    /** What is to be said of the last record. */
    String about() {
        return about;
    }

    private void addOwn(Definitions read, long publishedIn) {
        end(Last.OWN, "version " + read.version());
        if (own.isEmpty() || read.version() >= own.get().version()) {
            own = Optional.of(read);
            epoch = Math.max(epoch, publishedIn);
        }
    }

    private void end(Last kind, String what) {
        last = kind;
        about = what;
    }
}
