package dev.tidemark.writer.catalog;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;

/** What a log of definitions holds, for the writer of one deployment. */
final class LogSummary {
    private final DefinitionSeal seal;
    private final String deployment;
    private final long stored;
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
        /**
         * It is of another deployment, or may be: it names none and is later than what this writer has stored. Or it
         * has the seal, and a newer version of the writer wrote it.
         */
        FOREIGN,
        /**
         * It cannot be read, or lacks the seal, or names no deployment and is no later than what this writer has
         * stored.
         */
        WORTHLESS
    }

    /**
     * A summary of no record yet.
     *
     * @param seal of the deployment
     * @param present the definitions in force at its writer
     */
    LogSummary(DefinitionSeal seal, Definitions present) {
        this.seal = seal;
        this.deployment = present.deployment();
        this.stored = present.version();
    }

    void add(LoggedDefinitions message) {
        try {
            Definitions read = DefinitionsJson.read(message.json().getBytes(StandardCharsets.UTF_8));
            if (seal.isOn(message)) {
                addOwn(read, message.epoch());
            } else {
                addOther(read);
            }
        } catch (BadDefinitionsException e) {
            // Only another version of this writer can have sealed what this one cannot read.
            end(seal.isOn(message) ? Last.FOREIGN : Last.WORTHLESS, "a record that cannot be read: " + e.getMessage());
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

    /** What the last record is, and what to do about it where it is foreign, to be read after "ends with". */
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

    private void addOther(Definitions read) {
        String version = "version " + read.version();
        if (read.deployment().equals(deployment)) {
            end(Last.WORTHLESS, version + ", which lacks the seal of this deployment");
        } else if (!read.deployment().isEmpty()) {
            end(
                    Last.FOREIGN,
                    version + " of deployment " + read.deployment() + ", and this writer is of deployment " + deployment
                            + ". Give each deployment separate brokers; where the other one is gone for good, delete the topic");
        } else if (read.version() <= stored) {
            end(Last.WORTHLESS, version + ", which names no deployment");
        } else {
            end(
                    Last.FOREIGN,
                    version + ", which names no deployment and is later than version " + stored
                            + " of this writer. Earlier releases of Tidemark name none. Where another writer published it,"
                            + " give each deployment separate brokers; where this data directory was put back to an older"
                            + " copy, put back a later one; where neither is so, delete the topic");
        }
    }

    private void end(Last kind, String what) {
        last = kind;
        about = what;
    }
}
