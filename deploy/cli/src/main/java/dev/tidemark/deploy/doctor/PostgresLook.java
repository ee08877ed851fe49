package dev.tidemark.deploy.doctor;

import java.nio.file.Path;
import java.util.Optional;

/** Asks a PostgreSQL, as the role of a writer, and changes nothing there. */
@FunctionalInterface
public interface PostgresLook {
    /**
     * What is asked.
     *
     * @param url as JDBC has it
     * @param user empty for what the URL says
     * @param password a file that has it; empty for none
     */
    record Question(String url, String user, Optional<Path> password) {}

    /** Waits some seconds at most. */
    PostgresFacts look(Question question);
}
