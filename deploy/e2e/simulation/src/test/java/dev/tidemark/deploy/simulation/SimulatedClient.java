package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.Order;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.BadInputException;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.LostTokenException;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.NotServingException;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.query.QueryParser;
import dev.tidemark.worker.query.QueryResult;
import dev.tidemark.worker.query.ReadConsistency;
import dev.tidemark.worker.store.ShardId;

/** Asks any worker for pages of an index, each at another worker maybe, and judges every one. */
final class SimulatedClient {
    /** For questions that may have to wait for progress, which waits for real. */
    private static final Duration SHORT = SimulatedNetwork.MOMENT.multipliedBy(2);

    /** A bit longer than a worker is waited for where another one can be asked. */
    private static final Duration LONG = Duration.ofMillis(300).plus(SHORT);

    private final Simulation simulation;
    private final List<TableDefinition> tables;
    private final List<SimulatedWorker> workers;
    private final RandomSource chance;
    private final Rule broken;
    private @Nullable Reading reading;
    private Optional<String> violation = Optional.empty();

    /** An index that is read page by page. */
    private static final class Reading {
        private final TableDefinition table;
        private final String index;
        private final int limit;
        private final AskedBlock block;
        private final PagesRead pages;
        private Optional<String> cursor = Optional.empty();
        private @Nullable SimulatedWorker last;
        private String refusal = "";
        private boolean isLost;
        private List<Optional<Integer>> owners = List.of();

        Reading(TableDefinition table, String index, int limit, AskedBlock block) {
            this.table = table;
            this.index = index;
            this.limit = limit;
            this.block = block;
            this.pages = new PagesRead(block);
        }
    }

    SimulatedClient(
            Simulation simulation,
            List<TableDefinition> tables,
            List<SimulatedWorker> workers,
            RandomSource chance,
            Rule broken) {
        this.simulation = simulation;
        this.tables = tables;
        this.workers = workers;
        this.chance = chance;
        this.broken = broken;
    }

    /** What was wrong with an answer; empty while all were right. */
    Optional<String> violation() {
        return violation;
    }

    /** Asks for the next page of what is being read, or begins to read another index. */
    void ask() {
        Reading present = reading;
        if (present == null || chance.oneIn(6)) {
            present = begin(chance.pick(tables), chance.oneIn(4) ? QueryLimits.USUAL.page() : 1 + chance.below(3));
        }
        reading = present;
        if (present != null && !ask(present, chance.pick(workers))) {
            reading = null;
        }
    }

    /** When all is quiet, every worker answers for all; what is wrong with that. */
    Optional<String> askEveryone() {
        for (SimulatedWorker worker : workers) {
            for (TableDefinition table : tables) {
                for (DesiredIndex plan : plans(table)) {
                    Reading whole = new Reading(table, plan.name(), QueryLimits.USUAL.page(), AskedBlock.ALL);
                    do {
                        // A token of a lost epoch is refused; the next time it is another one, or none.
                        whole.isLost = false;
                        ask(whole, worker);
                    } while (whole.isLost);
                    if (violation.isPresent()) {
                        return violation;
                    }
                    Optional<String> wrong =
                            whole.last == null ? Optional.of(refusal(whole, worker)) : tokens(table, plan, worker);
                    if (wrong.isPresent()) {
                        return wrong;
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** What is wrong with how a worker takes a token of each epoch. */
    private Optional<String> tokens(TableDefinition table, DesiredIndex plan, SimulatedWorker worker) {
        History history = simulation.history(table.name());
        long epoch = simulation.writer().facts().lastCommit().version().epoch();
        List<ChangeEvent> promised =
                new ArrayList<>(history.promisedBefore(epoch).values());
        history.newestAcknowledged(epoch).ifPresent(promised::add);
        for (ChangeEvent event : promised) {
            Reading asked = new Reading(table, plan.name(), QueryLimits.USUAL.page(), AskedBlock.ALL);
            ask(asked, worker, Optional.of(event));
            boolean isOver = event.version().epoch() < epoch;
            if (violation.isPresent() || asked.isLost != isOver || (!isOver && asked.last == null)) {
                return violation.or(() -> Optional.of("with the token of " + event + ", and the fact tables in epoch "
                        + epoch + ", " + refusal(asked, worker)));
            }
        }
        return Optional.empty();
    }

    private static String refusal(Reading asked, SimulatedWorker worker) {
        return worker.identity().url() + (asked.last == null ? " does not answer for " : " answers for ") + asked.index
                + ": " + asked.refusal;
    }

    private List<DesiredIndex> plans(TableDefinition table) {
        return simulation
                .definitions()
                .current()
                .table(table.name())
                .orElseThrow()
                .indexes();
    }

    private @Nullable Reading begin(TableDefinition table, int limit) {
        List<DesiredIndex> plans = plans(table);
        if (plans.isEmpty()) {
            return null;
        }
        DesiredIndex plan = chance.pick(plans);
        return new Reading(
                table, plan.name(), limit, AskedBlock.any(plan.current().definition(), chance));
    }

    private boolean ask(Reading present, SimulatedWorker worker) {
        return ask(present, worker, acknowledged(present.table));
    }

    /** Asks for a page, with the token of a change where there is one; whether to go on. */
    private boolean ask(Reading present, SimulatedWorker worker, Optional<ChangeEvent> known) {
        Optional<DesiredIndex> plan = worker.definitions().index(present.table.name(), present.index);
        if (plan.isEmpty()) {
            return false;
        }
        try {
            IndexNames.Found serving = worker.queries()
                    .serving(new IndexNames.Found(
                            present.table, plan.get(), plan.get().current()));
            IndexQuery query = query(present, worker, serving, known);
            List<Optional<Integer>> owners = owners(serving.home());
            try (QueryResult answer = worker.answer(query)) {
                meet(present, worker, owners);
                judge(present, worker, query, known, answer);
                present.cursor = answer.next();
            }
            return present.cursor.isPresent();
        } catch (BadInputException e) {
            // The index has another definition now.
            return false;
        } catch (LostTokenException e) {
            chance.meet(CoveragePoint.A_TOKEN_OF_A_LOST_EPOCH_WAS_REFUSED);
            present.isLost = true;
            present.refusal = e.toString();
            known.filter(simulation::isOfThePresent)
                    .filter(any -> violation.isEmpty())
                    .ifPresent(event -> violation = Optional.of("SimulatedClient: the token of " + event
                            + " is refused for " + present.index + ": " + e.getMessage()));
            return true;
        } catch (NotServingException | NotAnswerableException e) {
            present.refusal = e.toString();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Optional<ChangeEvent> acknowledged(TableDefinition table) {
        History history = simulation.history(table.name());
        List<KeyBytes> keys = List.copyOf(new TreeSet<>(history.keys()));
        return keys.isEmpty() || !chance.oneIn(4)
                ? Optional.empty()
                : history.newestAcknowledged(chance.pick(keys), 1).stream().findFirst();
    }

    private IndexQuery query(
            Reading present, SimulatedWorker worker, IndexNames.Found serving, Optional<ChangeEvent> known)
            throws BadInputException {
        Map<String, List<String>> given = new HashMap<>(present.block.conditions());
        given.put("limit", List.of(String.valueOf(present.limit)));
        present.cursor.ifPresent(cursor -> given.put("cursor", List.of(cursor)));
        known.ifPresent(event -> given.put(
                "token",
                List.of(SessionToken.of(present.table.name(), present.table.partitionOf(event.key()), event.version())
                        .encode())));
        if (chance.faultOneIn(8)) {
            given.put("max_staleness", List.of("2s"));
        }
        if (chance.faultOneIn(6)) {
            given.put("allow_partial", List.of("true"));
        }
        IndexQuery query = QueryParser.parse(serving, given, QueryLimits.USUAL);
        boolean waits = given.containsKey("token") || given.containsKey("cursor") || given.containsKey("max_staleness");
        return new IndexQuery(
                query.index(),
                query.partitions(),
                query.range(),
                query.order(),
                query.after(),
                query.limit(),
                false,
                query.partial(),
                new ReadConsistency(
                        query.demand().versions(),
                        broken == Rule.A_CURSOR_KNOWS_WHAT_WAS_SEEN
                                ? Map.of()
                                : query.demand().seen(),
                        query.demand().maxStaleness(),
                        !waits && isElsewhere(worker, query) ? LONG : SHORT));
    }

    /** Whether another worker is known for each partition; else the worker that is asked would rest for real. */
    private static boolean isElsewhere(SimulatedWorker worker, IndexQuery query) {
        return query.partitions().stream()
                .noneMatch(partition -> worker.queries()
                        .routes()
                        .of(new ShardId(query.index().home().name(), partition))
                        .isEmpty());
    }

    private void meet(Reading present, SimulatedWorker worker, List<Optional<Integer>> owners) {
        if (present.block.order() == Order.DESC) {
            chance.meet(CoveragePoint.THE_LAST_ENTRIES_WERE_ASKED_FOR);
        }
        if (present.block.conditions().size() > 1) {
            chance.meet(CoveragePoint.A_BLOCK_WAS_ASKED_FOR);
        }
        if (present.last != null && present.last != worker) {
            chance.meet(CoveragePoint.A_PAGE_WAS_CONTINUED_AT_ANOTHER_WORKER);
        }
        if (present.last != null && !present.owners.equals(owners)) {
            chance.meet(CoveragePoint.AN_OWNER_CHANGED_BETWEEN_PAGES);
        }
        present.last = worker;
        present.owners = owners;
    }

    private List<Optional<Integer>> owners(TableDefinition table) {
        return simulation.groups().stream()
                .flatMap(group -> group.shards().stream()
                        .filter(shard -> shard.table().equals(table.name()))
                        .map(group::holder))
                .toList();
    }

    private void judge(
            Reading present,
            SimulatedWorker worker,
            IndexQuery query,
            Optional<ChangeEvent> known,
            QueryResult answer) {
        List<String> violations = new ArrayList<>();
        Set<Integer> held = new TreeSet<>(query.partitions());
        held.removeAll(answer.freshness().missingPartitions());
        for (int partition : held) {
            boolean proven = workers.stream()
                    .anyMatch(any -> any.isProven(
                            new ShardId(query.index().home().name(), partition),
                            query.index().generation().id()));
            if (!proven) {
                violations.add("is from generation "
                        + query.index().generation().id() + ", which was never proven in partition " + partition);
            }
        }
        present.pages.judge(simulation, query, known, answer, violations);
        violations.stream()
                .findFirst()
                .filter(any -> violation.isEmpty())
                .ifPresent(wrong -> violation = Optional.of("SimulatedClient: an answer of " + present.index + " of "
                        + worker.identity().url() + " " + wrong));
    }
}
