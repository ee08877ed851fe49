package dev.tidemark.http;

import java.time.Duration;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.backup.Backup;
import dev.tidemark.backup.BackupRefusedException;
import dev.tidemark.backup.Backups;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;

/** {@code POST /v1/backup}: makes a copy of what the service keeps. */
public record BackupRoute(Backups backups) {
    /** Where it is. */
    public static final String PATH = "/v1/backup";

    /** The only parameter: the name of the copy. */
    public static final String NAME = "name";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    /** Answers once the copy is whole. */
    public void make(Call call) throws BadInputException {
        try {
            Backup made = backups.make(Requests.parameter(call, NAME));
            ObjectNode json = RowJson.mapper().createObjectNode();
            json.put("name", made.name());
            json.put("path", made.path().toAbsolutePath().toString());
            json.put("bytes", made.bytes());
            call.status(201).result(RowJson.write(json));
        } catch (BackupRefusedException e) {
            String why = String.valueOf(e.getMessage());
            throw new ProblemException(
                    e.isLasting()
                            ? Problem.of(409, "Conflict", why)
                            : Problem.retryable(503, "No backup now", why, RETRY_AFTER));
        }
    }
}
