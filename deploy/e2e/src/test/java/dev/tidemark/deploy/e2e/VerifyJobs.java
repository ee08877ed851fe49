package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;

/** Comparisons of one table with its indexes, as a client orders them. */
final class VerifyJobs {
    private static final Duration STEP = Duration.ofMillis(20);

    private final StackUnderTest stack;
    private final String table;
    private final Duration patience;

    VerifyJobs(StackUnderTest stack, String table, Duration patience) {
        this.stack = stack;
        this.table = table;
        this.patience = patience;
    }

    /** Waits until it is done. What cannot be compared yet, right after a start, is asked for again. */
    JsonNode run(String mode, boolean repair) throws InterruptedException {
        String order = "{\"table\":\"" + table + "\",\"mode\":\"" + mode + "\",\"repair\":" + repair + "}";
        JsonNode[] job = new JsonNode[1];
        assertThat(BoundedWait.until(() -> isDone(order, job), patience, STEP))
                .as(() -> String.valueOf(job[0]))
                .isTrue();
        return job[0];
    }

    private boolean isDone(String order, JsonNode[] job) {
        try {
            if (job[0] == null || job[0].path("state").asText().equals("failed")) {
                job[0] = post(order);
            }
            job[0] = stack.indexes()
                    .http()
                    .get("/v1/verify/" + job[0].path("id").asText())
                    .requireOk()
                    .json();
            return job[0].path("state").asText().equals("done");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private JsonNode post(String order) throws IOException, InterruptedException {
        Answer answer =
                stack.indexes().http().send("POST", "/v1/verify", order, Map.of("Content-Type", "application/json"));
        assertThat(answer.status()).as("%s", answer).isEqualTo(202);
        return answer.json();
    }
}
