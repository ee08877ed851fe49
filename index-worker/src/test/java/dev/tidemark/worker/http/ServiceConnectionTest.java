package dev.tidemark.worker.http;

import java.net.SocketTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.PageMemory;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.OwnThread;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What becomes of questions to a writer that is silent. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class ServiceConnectionTest {
    private final Clock clock = new SteadyClock();
    private final KeyBytes key = new ChangeLog(Tables.films()).key("1");

    @ParameterizedTest
    @ValueSource(strings = {SilentWriter.NOTHING, SilentWriter.HEAD})
    void anAnswerThatIsNotWholeInTimeIsGivenUpAndItsConnectionClosed(String answer) throws Exception {
        try (SilentWriter silent = new SilentWriter(answer)) {
            ServiceConnection writer = silent.connection();
            // A machine with much to do needs some of this until the question is there.
            WriterCallLimit.Turn turn = WriterCallLimit.alone(Duration.ofSeconds(5), clock);

            assertThatThrownBy(() -> writer.send(Question.get("/v1/clock"), turn, 1_000))
                    .isInstanceOf(SocketTimeoutException.class);
            assertThat(silent.left.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SilentWriter.NOTHING, SilentWriter.HEAD})
    void neitherTheClockNorALookAtARowWaitsForEver(String answer) throws Exception {
        try (SilentWriter silent = new SilentWriter(answer)) {
            assertThat(new WriterClockClient(silent.connection()).ask(clock)).isEmpty();
            WriterClient facts = new WriterClient(silent.connection(), new WriterCallLimit(1, clock));
            assertThatThrownBy(() -> facts.find(Tables.films(), key, bytes -> {}))
                    .isInstanceOf(NotAnswerableException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SilentWriter.NOTHING, SilentWriter.HEAD})
    void theConnectionToAWorkerThatSaysNothingOfItselfIsClosed(String answer) throws Exception {
        try (SilentWriter silent = new SilentWriter(answer)) {
            PeerClient workers =
                    new PeerClient(silent.connection(), MemoryBudget.unlimited().part("pages", 1));

            assertThat(workers.reply(silent.url(), "/v1/lag")
                            .get(20, TimeUnit.SECONDS)
                            .trouble())
                    .isEqualTo("does not answer within 1 s");
            assertThat(silent.left.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anAnswerIsReadUpToABound() throws Exception {
        String long_ = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + "x".repeat(5_000);
        try (SilentWriter writer = new SilentWriter(long_)) {
            ServiceConnection connection = writer.connection();
            WriterCallLimit.Turn turn = WriterCallLimit.alone(Duration.ofSeconds(20), clock);

            assertThatThrownBy(() -> connection.send(Question.get("/v1/clock"), turn, 4_999))
                    .isInstanceOf(AnswerTooLongException.class);
            assertThat(connection.send(Question.get("/v1/clock"), turn, 5_000).body())
                    .hasSize(5_000);
        }
    }

    @Test
    void whoFindsNoPlaceAmongThoseThatWaitIsRefusedAtOnce() throws Exception {
        WriterCallLimit turns = new WriterCallLimit(1, clock);
        try (SilentWriter silent = new SilentWriter(SilentWriter.HEAD)) {
            WriterClient client = new WriterClient(silent.connection(), turns);
            CompletableFuture<String> waiting = OwnThread.supply(() -> refusal(client));
            assertThat(silent.asked.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(refusal(client)).isEqualTo(WriterCallLimit.ALL_TAKEN);
            assertThat(waiting).isNotDone();
            assertThat(waiting.get(20, TimeUnit.SECONDS)).contains("cannot be reached");
            assertThat(turns.take(Duration.ZERO)).isPresent();
        }
    }

    private String refusal(WriterClient client) {
        try (PageMemory room = PageMemory.open(MemoryBudget.unlimited().part("pages", 1))) {
            client.lookup(Tables.films(), List.of(key), room);
            return "";
        } catch (NotAnswerableException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
