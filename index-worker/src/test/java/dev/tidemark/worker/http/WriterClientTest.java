package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.query.NoMemoryException;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.PageMemory;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.OwnThread;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WriterClientTest {
    private static final int MIB = 1 << 20;

    private final WriterCallLimit turns = new WriterCallLimit(1, new SteadyClock());
    private Optional<LookupWriter> running = Optional.empty();

    @BeforeEach
    void start() throws Exception {
        running = Optional.of(new LookupWriter());
    }

    @AfterEach
    void stop() {
        assertThat(turns.take(Duration.ZERO)).as("the turn was given back").isPresent();
        writer().close();
    }

    @Test
    void answersRowsAsTheyAreStoredInTheOrderAskedAndNothingForThoseThatAreGone() throws Exception {
        List<Optional<String>> rows = lookup(client(), 3, MemoryBudget.unlimited());

        assertThat(rows)
                .containsExactly(Optional.empty(), Optional.of(writer().json(1)), Optional.of(writer().json(2)));
    }

    @Test
    void asksForFewRowsFirstAndForMoreWhereTheyAreShort() throws Exception {
        WriterClient client = client();
        assertThat(lookup(client, 3_000, MemoryBudget.unlimited()).size()).isEqualTo(3_000);
        assertThat(writer().lookups.get(0)).isLessThan(100);
        assertThat(writer().lookups).hasSizeLessThan(20).contains(1_000);
        assertThat(lookup(client, 0, MemoryBudget.unlimited()).size()).isZero();
    }

    @Test
    void asksForFewerRowsWhereTheyAreLong() throws Exception {
        WriterClient client = client();
        lookup(client, 2_000, MemoryBudget.unlimited());
        writer().rowBytes = MIB;
        writer().lookups.clear();

        assertThat(lookup(client, 2_000, MemoryBudget.unlimited()).size()).isEqualTo(9);
        assertThat(writer().lookups.get(writer().lookups.size() - 1)).isLessThan(3);
    }

    @Test
    void endsWhereTheRowsFillAnAnswer() throws Exception {
        writer().rowBytes = 10 << 10;
        assertThat(lookup(client(), 10_000, MemoryBudget.unlimited()).size()).isEqualTo(821);
    }

    @Test
    void readsARowThatIsLongerThanAnyAnswerShouldBe() throws Exception {
        writer().rowBytes = 16 * MIB;
        assertThat(lookup(client(), 3, MemoryBudget.unlimited()).size()).isEqualTo(2);
    }

    @Test
    void holdsNoMoreMemoryThanThereIsAndGivesItBack() throws Exception {
        writer().rowBytes = 100 << 10;
        MemoryBudget budget = new MemoryBudget(12 * MIB);
        WriterClient client = client();

        assertThat(lookup(client, 100, budget).size()).isBetween(10, 60);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void fourLargeAnswersAtOnceHoldNoMoreThanTheBudget() throws Exception {
        writer().rowBytes = 10 << 10;
        MemoryBudget budget = new MemoryBudget(40 * MIB);
        MemoryBudget.Part pages = budget.part("pages", 1);
        WriterCallLimit many = new WriterCallLimit(4, new SteadyClock());
        WriterClient client = new WriterClient(writer().connection(), many);
        List<PageMemory> rooms = new ArrayList<>();
        List<CompletableFuture<List<Optional<KeyBytes>>>> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            PageMemory room = PageMemory.open(pages);
            rooms.add(room);
            answers.add(OwnThread.supply(() -> rows(client, room)));
        }
        long bytes = 0;
        for (CompletableFuture<List<Optional<KeyBytes>>> answer : answers) {
            for (Optional<KeyBytes> row : answer.get(60, TimeUnit.SECONDS)) {
                bytes += row.map(KeyBytes::length).orElse(0);
            }
        }
        assertThat(bytes).isPositive().isLessThan(budget.bytes());
        assertThat(budget.reserved()).isBetween(bytes, budget.bytes());
        rooms.forEach(PageMemory::close);
        assertThat(budget.reserved()).isZero();
    }

    /** The rows of ten thousand keys; none where there is no memory left for one. */
    private static List<Optional<KeyBytes>> rows(WriterClient client, PageMemory room) {
        ChangeLog log = new ChangeLog(Tables.films());
        List<KeyBytes> keys = IntStream.rangeClosed(1, 10_000)
                .mapToObj(key -> log.key(Integer.toString(key)))
                .toList();
        try {
            return client.lookup(Tables.films(), keys, room);
        } catch (NoMemoryException e) {
            return List.of();
        } catch (NotAnswerableException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void refusesWhereThereIsNoMemoryForOneRow() {
        writer().rowBytes = 8 * MIB;
        MemoryBudget budget = new MemoryBudget(12 * MIB);
        assertThatThrownBy(() -> lookup(client(), 1, 2, budget)).isInstanceOf(NoMemoryException.class);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void saysSoWhenTheWriterIsNotWell() {
        writer().status = 503;
        assertThatThrownBy(() -> lookup(client(), 1, MemoryBudget.unlimited()))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("status 503");
    }

    private LookupWriter writer() {
        return running.orElseThrow();
    }

    private WriterClient client() {
        return new WriterClient(writer().connection(), turns);
    }

    /** The rows of keys from 0 on; that of 0 is gone. */
    private static List<Optional<String>> lookup(WriterClient client, int keys, MemoryBudget budget) throws Exception {
        return lookup(client, 0, keys, budget);
    }

    private static List<Optional<String>> lookup(WriterClient client, int from, int to, MemoryBudget budget)
            throws Exception {
        ChangeLog log = new ChangeLog(Tables.films());
        List<KeyBytes> list = IntStream.range(from, to)
                .mapToObj(key -> log.key(Integer.toString(key)))
                .toList();
        List<Optional<String>> rows = new ArrayList<>();
        try (PageMemory room = PageMemory.open(budget.part("pages", 1))) {
            for (Optional<KeyBytes> row : client.lookup(Tables.films(), list, room)) {
                rows.add(row.map(json -> new String(json.array(), StandardCharsets.UTF_8)));
            }
        }
        return rows;
    }
}
