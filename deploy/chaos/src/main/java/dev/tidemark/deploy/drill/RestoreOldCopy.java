package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackSettings;

/**
 * All of the writer's data, what it notes beside its tables included, goes back to a copy that was made seconds before;
 * where the fact tables are in PostgreSQL, all of that.
 * It is copied once the writers serve, of which one may be away at first.
 * Clients finish what they are at before it is copied and before it goes back, and go on while the writer comes up.
 */
final class RestoreOldCopy implements Fault {
    private static final Duration LEAST = Duration.ofSeconds(2);
    private static final int MORE_MILLIS = 3_000;

    /**
     * How long to wait for the outbox to empty; what is not published by then is lost before any reader has seen it.
     */
    private static final Duration UNTIL_PUBLISHED = Duration.ofSeconds(2);

    private final FaultEnvironment.FaultContext context;
    private final ProcessSupervisor supervisor;
    private final boolean hasServer;
    private final Path facts;
    private final Path copy;
    private Stage stage = Stage.OVER;
    private Instant copied = Instant.MIN;
    private Instant backAt = Instant.MIN;
    private long lost;

    private enum Stage {
        TO_COPY,
        WORKING,
        TO_PUT_BACK,
        OVER
    }

    RestoreOldCopy(FaultEnvironment.FaultContext context) {
        this.context = context;
        this.supervisor = context.supervisor();
        StackSettings settings = context.stack().settings();
        this.hasServer = settings.facts().isShared();
        this.facts = hasServer ? settings.postgresql().data() : supervisor.dataOf(Role.WRITER);
        this.copy = settings.data().resolve(FaultKind.PUT_BACK.option());
    }

    @Override
    public boolean begin(Role role, Instant now) {
        lost = 0;
        context.gate().shut();
        stage = Stage.TO_COPY;
        return true;
    }

    @Override
    public void tick(Instant now) throws InterruptedException {
        if (stage == Stage.TO_COPY && context.gate().isEmpty() && supervisor.isServing(Role.WRITER)) {
            takeDown();
            copied = now;
            replace(copy, facts);
            backAt = Instant.MAX;
            goOn(Stage.WORKING);
        } else if (stage == Stage.WORKING && backAt.equals(Instant.MAX) && supervisor.isServing(Role.WRITER)) {
            backAt = now.plus(LEAST).plusMillis(context.random().nextInt(MORE_MILLIS));
        }
    }

    @Override
    public boolean end(Instant now) throws InterruptedException {
        if (stage == Stage.WORKING && !now.isBefore(backAt)) {
            context.gate().shut();
            stage = Stage.TO_PUT_BACK;
        }
        if (stage == Stage.TO_PUT_BACK && context.gate().isEmpty()) {
            boolean seen = allIsPublished();
            if (seen || now.isAfter(backAt.plus(UNTIL_PUBLISHED))) {
                putBack(seen);
            }
        }
        return stage == Stage.OVER;
    }

    private void putBack(boolean seen) throws InterruptedException {
        takeDown();
        HistoryRecorder books = context.books();
        Instant until = books.clock().instant();
        replace(facts, copy);
        lost = books.ledger().putBack(copied, until, seen);
        context.lost().accept(copied, until);
        books.log().add("fault", line -> line.put("seen", seen).put("rowsLost", lost));
        goOn(Stage.OVER);
    }

    /** Whether an acknowledged write is lost. */
    @Override
    public boolean hasHit() {
        return lost > 0;
    }

    /** A PostgreSQL ends with all its processes, as if its machine did. */
    private void takeDown() throws InterruptedException {
        supervisor.kill(Role.WRITER, Instant.MAX);
        if (hasServer) {
            supervisor.end(KilledPostgres.SERVER, "QUIT", Instant.MAX);
        }
    }

    private void goOn(Stage next) {
        stage = next;
        supervisor.mayComeBack(Role.POSTGRESQL);
        supervisor.mayComeBack(Role.WRITER);
        context.gate().open();
    }

    /** Whether the outbox is empty. Called while clients rest, so that then all acknowledged writes are published. */
    private boolean allIsPublished() throws InterruptedException {
        try {
            long pending = 0;
            for (JsonNode table : context.target().writer().json("/v1/lag").path("outbox")) {
                boolean theirs =
                        DrillTables.WRITTEN.contains(table.path("table").asText());
                pending += theirs ? table.path("pendingRecords").asLong(1) : 0;
            }
            return pending == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Gives a directory the contents of another one; it stays itself, as a disk may be mounted there. */
    static void replace(Path target, Path source) {
        try {
            Files.createDirectories(target);
            try (Stream<Path> present = Files.list(target)) {
                for (Path each : present.toList()) {
                    new ScratchDirectory(each).close();
                }
            }
            try (Stream<Path> paths = Files.walk(source)) {
                for (Path each : paths.skip(1).sorted().toList()) {
                    Files.copy(
                            each,
                            target.resolve(source.relativize(each).toString()),
                            StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
