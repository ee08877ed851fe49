package dev.tidemark.deploy.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.writer.commit.CommitFailedException;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.CommitRequest;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.postgres.InMemoryPostgres;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.WriterStores;

/**
 * Two writers of one PostgreSQL. Each may end, or be suspended while the other one takes over, and go on. Connections
 * are lost around any statement, and the server is killed or put back to a copy.
 */
final class SharedWriters implements SimulatedWriter {
    private static final String MARK = "mark";
    private static final List<Integer> STATEMENTS_PER_LOSS = List.of(15, 60, 300);
    private static final int ROUNDS_TO_TAKE_OVER = 8;
    private static final int DISTURBED_ONE_IN = 12;

    private final InMemoryDisk disk = new InMemoryDisk();
    private final WriterStores stores = WriterStores.on(disk);
    private final Surroundings around;
    private final RandomSource chance;
    private final InMemoryPostgres server;
    private final List<SharedWriter> writers;
    private final int statementsPerLoss;
    private Optional<InMemoryPostgres.Copy> copy = Optional.empty();
    private Optional<String> violation = Optional.empty();

    /** The database was put back, and no writer has taken over since, so that topics have not been asked again. */
    private boolean wentBack;

    /** Puts of clients, each of which has its own mark, and those of them that were refused. */
    private int puts;

    private final Set<Integer> refused = new HashSet<>();
    private final Set<Integer> committed = new HashSet<>();
    private final List<MarkedRequest> waiting = new ArrayList<>();

    private record MarkedRequest(Set<Integer> marks, CompletableFuture<List<CommitOutcome>> outcome) {}

    SharedWriters(Surroundings around) {
        this.around = around;
        this.chance = around.chance();
        this.statementsPerLoss = chance.pick(STATEMENTS_PER_LOSS);
        this.server = new InMemoryPostgres(disk, new Nature());
        Claims claims = new Claims();
        this.writers = List.of(
                new SharedWriter(around, server, claims, "first"), new SharedWriter(around, server, claims, "second"));
    }

    @Override
    public Optional<Instant> commitTime() {
        return anyAtWork().flatMap(SharedWriter::commitTime);
    }

    @Override
    public Optional<ClockReading> tellTime(Clock local) {
        return anyAtWork().flatMap(writer -> writer.tellTime(local));
    }

    @Override
    public void meet() {
        if (isUnsettled()) {
            chance.meet(CoveragePoint.TOPICS_ARE_BEING_ASKED);
        }
        if (facts().lastCommit().version().epoch() > 1) {
            chance.meet(CoveragePoint.ANOTHER_EPOCH);
        }
    }

    @Override
    public FactStore facts() {
        return stores.facts();
    }

    @Override
    public boolean isDrained() {
        long last = facts().lastCommit().version().sequence();
        return atWork().count() == 1 && atWork().allMatch(writer -> writer.isDrained(last));
    }

    @Override
    public boolean isUnsettled() {
        return wentBack || stores.ledger().unsettled().isPresent();
    }

    @Override
    public void submit(WriteRequest request) {
        Set<Integer> marks = new HashSet<>();
        List<WriteCommand> commands =
                request.commands().stream().map(one -> marked(one, marks)).toList();
        WriteRequest marked = new WriteRequest(request.table(), commands, request.atomic(), request.bytes());
        submit(request.table(), marked)
                .ifPresentOrElse(
                        outcome -> waiting.add(new MarkedRequest(marks, outcome)), () -> refused.addAll(marks));
    }

    private WriteCommand marked(WriteCommand command, Set<Integer> marks) {
        if (!(command instanceof WriteCommand.Put put)) {
            return command;
        }
        puts++;
        marks.add(puts);
        ObjectNode row = put.row().tree().deepCopy().put(MARK, puts);
        return new WriteCommand.Put(put.key(), RowDocument.of(row), put.precondition());
    }

    @Override
    public Optional<CompletableFuture<List<CommitOutcome>>> submit(String table, CommitRequest request) {
        return anyAtWork().flatMap(writer -> writer.submit(table, request));
    }

    @Override
    public void commit() {
        if (chance.faultOneIn(DISTURBED_ONE_IN)) {
            disturb();
        }
        stepAll();
        // A standby looks several times before it takes over.
        for (int i = 0; i < ROUNDS_TO_TAKE_OVER && anyAtWork().isEmpty(); i++) {
            around.clock().advance(Duration.ofMillis(200 + chance.below(200)));
            stepAll();
        }
        if (atWork().count() > 1) {
            chance.meet(CoveragePoint.TWO_WRITERS_BELIEVED_TO_BE_THE_ACTIVE_ONE);
        }
        turn().forEach(SharedWriter::commit);
        waiting.removeIf(this::isAnswered);
    }

    @Override
    public void relay() {
        turn().forEach(SharedWriter::relay);
    }

    @Override
    public void wasSuspendedSince(Instant began) {
        awake().forEach(writer -> writer.wasSuspendedSince(began));
    }

    @Override
    public void backUp() {
        if (!isUnsettled()) {
            copy = Optional.of(server.copy());
        }
    }

    /** A writer that knows of a message under way ends: it would send it once more, long after the server was away. */
    @Override
    public void putBack() {
        if (copy.isEmpty() || !isOfUse(WriterStores.on(copy.get().disk()))) {
            return;
        }
        writers.stream().filter(writer -> !writer.isSilent() || chance.oneIn(2)).forEach(SharedWriter::crash);
        around.topics().deliverLate(true);
        server.putBack(copy.get(), chance.oneIn(2));
        wentBack = true;
        around.topics().factsWentBack();
        chance.meet(CoveragePoint.A_FACT_TABLE_WENT_BACK);
        around.histories().lostAfter(facts().lastCommit().version());
    }

    private boolean isOfUse(WriterStores copied) {
        return copied.facts().lastCommit().version().sequence() > 0
                && around.tables().stream()
                        .allMatch(table -> copied.ledger().find(table.name()).isPresent());
    }

    @Override
    public void crash() {
        chance.pick(writers).crash();
    }

    @Override
    public boolean hadOneTooMany() {
        return writers.stream().anyMatch(SharedWriter::wentOnAfterItWasReplaced);
    }

    @Override
    public Optional<String> violation() {
        return violation;
    }

    private void disturb() {
        switch (chance.below(4)) {
            case 0 -> {
                chance.meet(CoveragePoint.THE_DATABASE_WAS_KILLED);
                server.restart(chance.below(disk.unsynced() + 1));
            }
            case 1 -> crash();
            default -> chance.pick(writers).suspend();
        }
    }

    private void stepAll() {
        writers.forEach(SharedWriter::step);
        wentBack &= stores.ledger().unsettled().isEmpty();
    }

    private Stream<SharedWriter> awake() {
        return writers.stream().filter(SharedWriter::isAwake);
    }

    private Stream<SharedWriter> atWork() {
        return awake().filter(SharedWriter::isAtWork);
    }

    /** One that takes itself for the active one, and may have been replaced. */
    private Optional<SharedWriter> anyAtWork() {
        List<SharedWriter> found = atWork().toList();
        return found.isEmpty() ? Optional.empty() : Optional.of(chance.pick(found));
    }

    /** Any one while there are faults, then all. */
    private List<SharedWriter> turn() {
        List<SharedWriter> awake = awake().toList();
        return awake.isEmpty() || !chance.hasFaults() ? awake : List.of(chance.pick(awake));
    }

    private boolean isAnswered(MarkedRequest request) {
        if (!request.outcome().isDone()) {
            return false;
        }
        CompletableFuture<Boolean> unused = request.outcome().handle((outcomes, failure) -> {
            if (failure instanceof CommitFailedException failed && failed.isOutcomeKnown()) {
                refused.addAll(request.marks());
                request.marks().stream().filter(committed::contains).forEach(this::refusedIsThere);
            }
            return true;
        });
        return true;
    }

    private void refusedIsThere(int mark) {
        wrong("put " + mark + " was refused, and is there");
    }

    private void wrong(String what) {
        violation = violation.or(() -> Optional.of(what));
    }

    /** What happens in the server. */
    private final class Nature implements InMemoryPostgres.Nature {
        @Override
        public Instant time() {
            return around.clock().instant();
        }

        @Override
        public InMemoryPostgres.Fate fate() {
            if (!chance.faultOneIn(statementsPerLoss)) {
                return InMemoryPostgres.Fate.DONE;
            }
            InMemoryPostgres.Fate fate = chance.pick(List.of(
                    InMemoryPostgres.Fate.LOST_BEFORE,
                    InMemoryPostgres.Fate.LOST_AFTER,
                    InMemoryPostgres.Fate.DONE_LATE));
            chance.meet(
                    switch (fate) {
                        case DONE, LOST_BEFORE -> CoveragePoint.A_STATEMENT_DID_NOT_ARRIVE;
                        case LOST_AFTER -> CoveragePoint.THE_ANSWER_TO_A_STATEMENT_WAS_LOST;
                        case DONE_LATE -> CoveragePoint.A_STATEMENT_WAS_GIVEN_UP_AND_DONE_LATER;
                    });
            return fate;
        }

        @Override
        public boolean lateOneComes() {
            return chance.oneIn(3);
        }

        @Override
        public boolean checksTheRow() {
            return around.broken() != Rule.COMMITS_CHECK_THE_ROW;
        }

        @Override
        public boolean findsOutWhatBecameOfACommit() {
            return around.broken() != Rule.AN_UNKNOWN_OUTCOME_IS_FOUND_OUT;
        }

        @Override
        public void commits(FactBatch batch, RowVersion last, boolean byTheHolder) {
            if (!byTheHolder) {
                wrong("version " + batch.through().version() + " was committed beside the holder of the right");
            }
            for (CommittedChange change : batch.changes()) {
                ChangeEvent event = change.event();
                if (event.version().sequence() <= last.sequence()) {
                    wrong("version " + event.version() + " was committed after " + last);
                }
                if (event instanceof ChangeEvent.Upserted row) {
                    int mark = row.row().tree().path(MARK).asInt();
                    committed.add(mark);
                    if (refused.contains(mark)) {
                        refusedIsThere(mark);
                    }
                }
            }
            around.histories().committed(batch.changes(), around.clock().instant());
            around.shop().ifPresent(shop -> shop.committed(batch, facts().sourcePosition(SimulatedShop.NAME)));
        }
    }
}
