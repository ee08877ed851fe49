package dev.tidemark.worker.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TablePlan;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.Workbench;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static org.assertj.core.api.Assertions.assertThat;

class OnceInAWhileTest {
    @Test
    void forgetsGenerationsWhoseTimeHasCome() {
        Workbench bench = new Workbench(Tables.catalog());
        OnceInAWhile turns = new OnceInAWhile(new HeldTables(bench::definitions, bench.shards()));
        TablePlan films = Tables.plan(Tables.films());
        Instant now = bench.clock().instant();
        turns.rest(
                new ProofQueue.Due(new VerifyRequest(films.definition(), films.generations(), Mode.FULL), List.of()),
                now);

        turns.next(now, (generation, shards) -> true);
        assertThat(turns.resting()).isEqualTo(films.generations().size());

        turns.next(now.plus(Duration.ofHours(1)), (generation, shards) -> true);
        assertThat(turns.resting()).isZero();
    }
}
