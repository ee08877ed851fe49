package dev.tidemark.worker.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static org.assertj.core.api.Assertions.assertThat;

class VerifyBackoffTest {
    @Test
    void forgetsGenerationsWhoseTimeHasCome() {
        WorkerFixture fixture = new WorkerFixture(Tables.catalog());
        VerifyBackoff turns = new VerifyBackoff(new LocalGenerations(fixture::definitions, fixture.shards()));
        DesiredTable films = Tables.plan(Tables.films());
        Instant now = fixture.clock().instant();
        turns.rest(
                new FirstVerificationQueue.Due(
                        new VerifyRequest(films.definition(), films.generations(), Mode.FULL), List.of()),
                now);

        turns.next(now, (generation, shards) -> true);
        assertThat(turns.resting()).isEqualTo(films.generations().size());

        turns.next(now.plus(Duration.ofHours(1)), (generation, shards) -> true);
        assertThat(turns.resting()).isZero();
    }
}
