package dev.tidemark.deploy.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.drill.Drill;
import dev.tidemark.deploy.drill.Drill.DrillStack;
import dev.tidemark.deploy.drill.DrillPlan;
import dev.tidemark.deploy.drill.DrillReport;
import dev.tidemark.deploy.drill.FaultKind;
import dev.tidemark.deploy.stack.FactsPlace;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.ScratchDirectory;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;

/** The fault drill. */
@Command(
        name = "drill",
        mixinStandardHelpOptions = true,
        description = {
            "Breaks a stack of its own in every way it knows, and proves that nothing was lost.",
            "Starts a broker, a writer and a worker in a temporary directory, writes and asks while it kills and stops"
                    + " them, and after each round compares tables, indexes and every answer with what they must be."
        },
        footer = {
            "",
            "Faults:",
            "  kill       any process, at any time, by SIGKILL",
            "  points     writer and worker, at every step of committing, relaying, applying, building, switching",
            "  pause      any process stands still for up to three seconds",
            "  broker     the broker is away for up to three seconds",
            "  rebalance  a second worker comes, takes over a part, and is killed",
            "  clock      the clock of one service is an hour off",
            "  poison     an unreadable record is in a topic",
            "  repeat     the newest records of a topic are published once more",
            "  forged     records pretend to be the writer's: a newer version, another row's body, a future",
            "             time, definitions",
            "  damage     a log or table file of a shard is torn or has a wrong byte while its worker is dead",
            "  topic      a change topic is deleted",
            "  files      a file of a shard is missing when its worker comes back",
            "  disk       the disk of a service is full for seconds (needs root: a file system in a file)",
            "  net        the link from a service to the broker is slow, silent or broken for seconds",
            "  cutoff     nothing that the broker sends to a service arrives, for seconds (needs root: a",
            "             network namespace)",
            "  storm      four more workers come and are killed, again and again",
            "  zombie     the same, and the first worker is stopped until others have its shards, and goes on",
            "  large      for seconds, a topic takes smaller records than there are",
            "  compaction a shard is built from a topic that is compacted all the time",
            "  tombstones the worker is away for longer than Kafka keeps marks of deletes",
            "  retention  the worker is away while its topics lose records that it has not read",
            "  partitions a topic gets one more partition than its table has",
            "  eio        fsync of a service fails for seconds (needs strace)",
            "  unreadable what a service reads of its tables fails for seconds (needs strace)",
            "  power      a service and all that it did not sync is gone (needs root)",
            "  put-back   all of the writer's data, or of its PostgreSQL, goes back to a copy made seconds before",
            "  clients    hostile clients send and read too slowly, ask for too much, break off, and send",
            "             nonsense",
            "  peer       of several workers, one is killed, stopped, or cut off from the others",
            "",
            "With --facts postgresql, two writers share a PostgreSQL of the stack. Then there are also:",
            "  postgres   PostgreSQL or one of its processes is killed",
            "  facts-net  the link from the writers to PostgreSQL is slow, silent or broken for seconds",
            "  facts-disk the disk of PostgreSQL is full for seconds (needs root: a file system in a file)",
            "",
            "Examples:",
            "  tidemark drill",
            "  tidemark drill --minutes 30",
            "  tidemark drill --each 20",
            "  tidemark drill --seed 7 --rounds 3 --faults kill,clock",
            "  tidemark drill --facts postgresql --faults kill,points,postgres,facts-net,put-back",
            "  tidemark drill --workers 3 --replica-groups 2 --faults kill,pause,storm,zombie,peer",
            "",
            "Exit code 1 when anything differs. The seed decides what is written and what is hit; when exactly depends on"
                    + " the machine too, so a drill that is repeated hits nearly the same."
        })
final class DrillCommand implements Callable<Integer> {
    private static final String ROCKSDB = "rocksdb";
    private static final int USUAL_ROUNDS = 10;

    /** For each kill at every point; it usually takes a minute. */
    private static final Duration WALK = Duration.ofMinutes(6);

    private static final Duration END_PATIENCE = Duration.ofSeconds(30);

    private final Drilling drilling;
    private final Terminal terminal;
    private final Consumer<Runnable> atExit;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--seed", paramLabel = "N", description = "Repeat the drill of that seed (default: any).")
    private @Nullable Long seed;

    @Option(names = "--minutes", paramLabel = "M", description = "Begin rounds for this time.")
    private @Nullable Double minutes;

    @Option(
            names = "--rounds",
            paramLabel = "R",
            description = "Number of rounds (default: 10, or as --minutes allows).")
    private @Nullable Integer rounds;

    @Option(
            names = "--each",
            paramLabel = "N",
            description = "Before the rounds, kill writer and worker N times at each named point (default: 0).")
    private int each;

    @Option(names = "--faults", paramLabel = "LIST", split = ",", description = "Only these kinds (default: all).")
    private List<String> faults = FaultKind.options();

    @Option(names = "--workers", paramLabel = "N", description = "Workers of each replica group (default: 1).")
    private int workers = 1;

    @Option(names = "--replica-groups", paramLabel = "R", description = "Replica groups (default: 1).")
    private int replicaGroups = 1;

    @Option(
            names = "--facts",
            paramLabel = "WHERE",
            description = "Where the fact tables are: rocksdb or postgresql (default: rocksdb).")
    private String facts = ROCKSDB;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Work in this directory, which must be empty, and leave everything there.")
    private @Nullable Path data;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    /** Runs drills. One that is interrupted leaves nothing behind on the machine but files. */
    @FunctionalInterface
    interface Drilling {
        /** As {@link Drill#run} does with its tools. */
        DrillReport run(DrillPlan plan, DrillStack stack, Clock clock, BiConsumer<DrillReport, Duration> listener)
                throws StackException, IOException, InterruptedException;
    }

    /** @param atExit takes work to do when the process ends, also after Ctrl-C */
    DrillCommand(Drilling drilling, Terminal terminal, Consumer<Runnable> atExit) {
        this.drilling = drilling;
        this.terminal = terminal;
        this.atExit = atExit;
    }

    @Override
    public Integer call() throws StackException, IOException, InterruptedException {
        Thread own = Thread.currentThread();
        CountDownLatch ended = new CountDownLatch(1);
        // A signal alone ends this thread where it is, and what the drill has mounted stays.
        atExit.accept(() -> interrupt(own, ended));
        try {
            return drill();
        } finally {
            ended.countDown();
        }
    }

    private void interrupt(Thread drill, CountDownLatch ended) {
        drill.interrupt();
        try {
            if (!ended.await(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                terminal.complain("tidemark: the drill did not end in time; mounts and network namespaces may be left");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int drill() throws StackException, IOException, InterruptedException {
        SteadyClock clock = new SteadyClock();
        DrillPlan plan = plan(clock.millis());
        Path directory = data == null ? Files.createTempDirectory("tidemark-drill-") : empty(data);
        DrillStack stack = new DrillStack(Installation.locate(), directory, isPostgresql());
        terminal.complain("drill with seed " + plan.seed() + " in " + directory);
        DrillReport report =
                drilling.run(plan, stack, clock, (soFar, took) -> terminal.complain(DrillText.round(soFar, took)));
        if (json) {
            terminal.line(report.json().toString());
        } else {
            terminal.lines(DrillText.render(report, terminal));
        }
        if (data == null && report.isFine()) {
            new ScratchDirectory(directory).close();
        }
        return report.isFine() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private DrillPlan plan(long any) {
        if (minutes != null && !(minutes > 0)) {
            throw wrong("expected a positive number of minutes, but got " + minutes);
        }
        if (rounds != null && rounds < 1) {
            throw wrong("expected at least one round, but got " + rounds);
        }
        if (each < 0) {
            throw wrong("expected --each of 0 or more, but got " + each);
        }
        DrillPlan.Groups groups = groups();
        Optional<Duration> time =
                Optional.ofNullable(minutes).map(number -> Duration.ofMillis(Math.round(number * 60_000)));
        int most = time.isPresent() ? Integer.MAX_VALUE : USUAL_ROUNDS;
        return new DrillPlan(
                seed == null ? any : seed,
                new DrillPlan.Walk(each, 1, WALK),
                rounds == null ? most : rounds,
                time,
                kinds(groups.all() > 1),
                DrillPlan.ROUND,
                groups);
    }

    private Set<FaultKind> kinds(boolean hasOthers) {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        for (String name : faults) {
            kinds.add(FaultKind.of(name)
                    .orElseThrow(() -> wrong(
                            "expected faults out of " + String.join(",", FaultKind.options()) + ", but got " + name)));
        }
        Set<FaultKind> impossible = EnumSet.noneOf(FaultKind.class);
        impossible.addAll(hasOthers ? Set.of() : Set.of(FaultKind.PEER));
        impossible.addAll(isPostgresql() ? FaultKind.OF_ROCKSDB : FaultKind.OF_POSTGRESQL);
        impossible.retainAll(kinds);
        if (!impossible.isEmpty() && faults.size() < FaultKind.options().size()) {
            FaultKind first = impossible.iterator().next();
            throw wrong("expected "
                    + (first == FaultKind.PEER
                            ? "--workers or --replica-groups above 1"
                            : "--facts " + (isPostgresql() ? ROCKSDB : FactsPlace.POSTGRESQL))
                    + " for the fault " + first.option());
        }
        kinds.removeAll(impossible);
        return kinds;
    }

    private boolean isPostgresql() {
        if (!facts.equals(ROCKSDB) && !facts.equals(FactsPlace.POSTGRESQL)) {
            throw wrong("expected --facts " + ROCKSDB + " or " + FactsPlace.POSTGRESQL + ", but got " + facts);
        }
        return facts.equals(FactsPlace.POSTGRESQL);
    }

    private DrillPlan.Groups groups() {
        try {
            return new DrillPlan.Groups(workers, replicaGroups);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private Path empty(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (var files = Files.list(directory)) {
            if (files.findAny().isPresent()) {
                throw wrong("expected an empty directory, but there is something in " + directory);
            }
        }
        return directory;
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec == null ? new CommandLine(this) : spec.commandLine(), message);
    }
}
