package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.drill.history.HistoryRecorder;
import dev.tidemark.deploy.drill.load.ClientGate;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.drill.target.Reply;
import dev.tidemark.deploy.stack.Role;

/**
 * All of the writer's data, what it notes beside its tables included, goes back to a copy that was made seconds before.
 * Clients finish what they are at before it is copied and before it goes back, and go on while the writer comes up.
 */
public final class RestoreOldCopy implements Fault {
    private static final Duration LEAST = Duration.ofSeconds(2);
    private static final int MORE_MILLIS = 3_000;

    /**
     * How long to wait for the outbox to empty; what is not published by then is lost before any reader has seen it.
     */
    private static final Duration UNTIL_PUBLISHED = Duration.ofSeconds(2);

    private final ProcessSupervisor supervisor;
    private final Clients clients;
    private final Path copy;
    private final Random random;
    private Stage stage = Stage.OVER;
    private Instant now = Instant.MIN;
    private Instant copied = Instant.MIN;
    private Instant backAt = Instant.MIN;
    private long lost;

    /**
     * The clients that write.
     *
     * @param gate that they pass for each write
     * @param books the writes and the answers to them
     * @param tables that they write to
     * @param lost called with the time span whose acknowledged writes are all lost
     */
    public record Clients(
            ClientGate gate,
            HistoryRecorder books,
            DrillTarget target,
            Collection<String> tables,
            BiConsumer<Instant, Instant> lost) {
        public Clients {
            tables = List.copyOf(tables);
        }
    }

    private enum Stage {
        TO_COPY,
        WORKING,
        TO_PUT_BACK,
        OVER
    }

    RestoreOldCopy(ProcessSupervisor supervisor, Clients clients, Path copy, Random random) {
        this.supervisor = supervisor;
        this.clients = clients;
        this.copy = copy;
        this.random = random;
    }

    @Override
    public boolean begin(Role role, Instant time) {
        if (!supervisor.isServing(Role.WRITER)) {
            return false;
        }
        lost = 0;
        now = time;
        clients.gate().shut();
        stage = Stage.TO_COPY;
        return true;
    }

    @Override
    public void tick(Instant time) throws InterruptedException {
        now = time;
        if (stage == Stage.TO_COPY && clients.gate().isEmpty()) {
            supervisor.kill(Role.WRITER, Instant.MAX);
            copied = now;
            replace(copy, supervisor.dataOf(Role.WRITER));
            backAt = Instant.MAX;
            goOn(Stage.WORKING);
        } else if (stage == Stage.WORKING && backAt.equals(Instant.MAX) && supervisor.isServing(Role.WRITER)) {
            backAt = now.plus(LEAST).plusMillis(random.nextInt(MORE_MILLIS));
        }
    }

    @Override
    public boolean end() throws InterruptedException {
        if (stage == Stage.WORKING && !now.isBefore(backAt)) {
            clients.gate().shut();
            stage = Stage.TO_PUT_BACK;
        }
        if (stage == Stage.TO_PUT_BACK && clients.gate().isEmpty()) {
            boolean seen = allIsPublished();
            if (seen || now.isAfter(backAt.plus(UNTIL_PUBLISHED))) {
                putBack(seen);
            }
        }
        return stage == Stage.OVER;
    }

    private void putBack(boolean seen) throws InterruptedException {
        supervisor.kill(Role.WRITER, Instant.MAX);
        Instant until = clients.books().clock().instant();
        replace(supervisor.dataOf(Role.WRITER), copy);
        lost = clients.books().ledger().putBack(copied, until, seen);
        clients.lost().accept(copied, until);
        clients.books().log().add("fault", line -> line.put("seen", seen).put("rowsLost", lost));
        goOn(Stage.OVER);
    }

    /** Whether an acknowledged write is lost. */
    @Override
    public boolean hasHit() {
        return lost > 0;
    }

    private void goOn(Stage next) {
        stage = next;
        supervisor.mayComeBack(Role.WRITER);
        clients.gate().open();
    }

    /** Whether the outbox is empty. Called while clients rest, so that then all acknowledged writes are published. */
    private boolean allIsPublished() throws InterruptedException {
        try {
            Reply lag = clients.target().writer("/v1/lag");
            if (!lag.ok()) {
                return false;
            }
            long pending = 0;
            for (JsonNode table : lag.json().path("outbox")) {
                boolean theirs = clients.tables().contains(table.path("table").asText());
                pending += theirs ? table.path("pendingRecords").asLong(1) : 0;
            }
            return pending == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void replace(Path target, Path source) {
        try {
            for (Path each : paths(target, Comparator.reverseOrder())) {
                Files.delete(each);
            }
            for (Path each : paths(source, Comparator.naturalOrder())) {
                Files.copy(each, target.resolve(source.relativize(each).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> paths(Path directory, Comparator<Path> order) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.sorted(order).toList();
        }
    }
}
