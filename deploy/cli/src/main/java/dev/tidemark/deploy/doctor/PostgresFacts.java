package dev.tidemark.deploy.doctor;

import java.util.Map;

/** What a look at a PostgreSQL found. */
public sealed interface PostgresFacts {
    /** It was not reached, or does not let the role in. */
    record Unreached(String why) implements PostgresFacts {}

    /**
     * A server that answers.
     *
     * @param version its number, such as 150018 for 15.18
     * @param settings as they are for this role in this database
     * @param standby whether it follows another server
     * @param followers how many servers follow it
     */
    record Server(int version, Map<String, String> settings, boolean standby, int followers, Role role)
            implements PostgresFacts {
        public Server {
            settings = Map.copyOf(settings);
        }

        String setting(String name) {
            return settings.getOrDefault(name, "");
        }
    }

    /**
     * The role of the writer.
     *
     * @param schema whether the schema of the writer is there
     * @param creates whether it may make tables in that, or else the schema
     * @param connections how many more it may have now
     */
    record Role(String name, String database, boolean schema, boolean creates, int connections) {}
}
