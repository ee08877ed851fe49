package dev.tidemark.deploy.drill;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Failpoints;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.runtime.SteadyClock;

/**
 * Kills, stops and restarts the processes of a stack. A process that is found dead is started again; one that died
 * without a fault is a finding. What is said of a role is about all its processes.
 */
public final class ProcessSupervisor {
    /** What a writer prints as it ends because another one has its place. */
    private static final String TAKEN_OVER = "to be started again: another writer";

    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    private final LocalStack stack;
    private final FaultStats faultStats;
    private final HistoryRecorder books;
    private final Map<ChildId, Member> members = new LinkedHashMap<>();

    /** What is known of one process. */
    private static final class Member {
        private Instant downUntil = Instant.MIN;
        private Instant stoppedUntil = Instant.MIN;
        private boolean stopped;
        private boolean killed;
        private boolean comesBack;
        private boolean mayGiveUp;
        private boolean lookedAfter;
        private Duration clockOffset = Duration.ZERO;
        private boolean armed;
        private final SecondWorker.FreshLog log;

        Member(ChildProcess process) {
            this.log = new SecondWorker.FreshLog(process);
        }
    }

    public ProcessSupervisor(LocalStack stack, FaultStats faultStats, HistoryRecorder books) {
        this.stack = stack;
        this.faultStats = faultStats;
        this.books = books;
        stack.children().forEach(child -> members.put(child.id(), new Member(child)));
    }

    /**
     * Lets those go on whose pause is over, and starts those again that are dead and may come back.
     *
     * @param arming the points at which a process that is started is to end, as {@link Failpoints#PROPERTY} takes them;
     *     may be empty
     */
    void tick(Instant now, Function<Role, String> arming) {
        members.forEach((id, member) -> {
            ChildProcess child = stack.child(id);
            if (member.stopped && !now.isBefore(member.stoppedUntil)) {
                resume(id);
            }
            if (!child.isAlive()) {
                if (!member.lookedAfter) {
                    look(id, member);
                }
                if (!now.isBefore(member.downUntil)) {
                    start(id, member, arming.apply(id.role()));
                }
            } else if (member.comesBack && isServing(id)) {
                member.comesBack = false;
            }
        });
    }

    /** One of the processes of a role. */
    ChildId any(Role role, Random random) {
        List<ChildId> all = of(role);
        return all.get(random.nextInt(all.size()));
    }

    /** SIGKILL; comes back at that time at the earliest. False where all are dead already. */
    boolean kill(Role role, Instant downUntil) throws InterruptedException {
        boolean any = false;
        for (ChildId id : of(role)) {
            any |= kill(id, downUntil);
        }
        return any;
    }

    /** The same of one process. */
    boolean kill(ChildId id, Instant downUntil) throws InterruptedException {
        return end(id, "KILL", downUntil);
    }

    /** The same by another signal that ends it. */
    boolean end(ChildId id, String signal, Instant downUntil) throws InterruptedException {
        Member member = of(id);
        member.downUntil = downUntil;
        ChildProcess child = stack.child(id);
        if (!child.isAlive()) {
            return false;
        }
        member.killed = true;
        member.comesBack = true;
        child.send(signal);
        if (!child.awaitEnd(END_PATIENCE)) {
            child.kill();
            child.awaitEnd(END_PATIENCE);
        }
        member.stopped = false;
        return true;
    }

    /** SIGSTOP until that time. False where none lives. */
    boolean stop(Role role, Instant until) {
        boolean any = false;
        for (ChildId id : of(role)) {
            any |= stop(id, until);
        }
        return any;
    }

    /** The same of one process. */
    boolean stop(ChildId id, Instant until) {
        if (!stack.child(id).isAlive()) {
            return false;
        }
        try {
            stack.child(id).suspend();
        } catch (IllegalStateException e) {
            // It ended at a point in the same moment.
            return false;
        }
        Member member = of(id);
        member.stopped = true;
        member.stoppedUntil = until;
        return true;
    }

    /** From its next start on, the clock of a service is off by so much. */
    void clockOff(Role role, Duration offset) {
        of(role).forEach(id -> of(id).clockOffset = offset);
    }

    /** Whether a service was started with a point that it has not reached yet. */
    boolean isArmed() {
        return members.entrySet().stream()
                .anyMatch(entry ->
                        entry.getValue().armed && stack.child(entry.getKey()).isAlive());
    }

    /** Whether all run and serve, and none is stopped. */
    boolean isReady() {
        return members.entrySet().stream().allMatch(entry -> !entry.getValue().stopped && isServing(entry.getKey()));
    }

    /** Whether a process is stopped, and neither killed nor resumed. */
    boolean isStopped(Role role) {
        return of(role).stream()
                .anyMatch(id -> of(id).stopped && stack.child(id).isAlive());
    }

    /** Whether all of that role run and serve: a writer that waits for another one does, once that one is at work. */
    boolean isServing(Role role) {
        return of(role).stream().allMatch(this::isServing);
    }

    private boolean isServing(ChildId id) {
        return stack.child(id).isAlive() && stack.isReady(id);
    }

    /** Resumes all stopped processes, and lets killed ones start again at once. */
    void relent() {
        members.forEach((id, member) -> {
            member.downUntil = Instant.MIN;
            if (member.stopped) {
                resume(id);
            }
        });
    }

    /** A process may end itself once to be started again, as one does whose disk failed. */
    void mayGiveUp(Role role) {
        of(role).forEach(id -> of(id).mayGiveUp = true);
    }

    /** Whether all that {@link #mayGiveUp} have ended since. */
    boolean hasGivenUp(Role role) {
        return of(role).stream().noneMatch(id -> of(id).mayGiveUp);
    }

    /** Something is not as it must be. */
    void differ(String difference) {
        books.findings().differ(List.of(difference));
    }

    /** A process may end, and end again, until it has served once more. */
    void mayBeAway(ChildId id) {
        of(id).comesBack = true;
    }

    /** Who was to stay away may come back. */
    void mayComeBack(Role role) {
        of(role).forEach(id -> of(id).downUntil = Instant.MIN);
    }

    /** The number of the first process of a role; empty where it is dead. */
    Optional<Long> pid(Role role) {
        return stack.child(role).handle().filter(ProcessHandle::isAlive).map(ProcessHandle::pid);
    }

    /** Where the first process of a role keeps its data. */
    Path dataOf(Role role) {
        return stack.settings().directory(role);
    }

    private void resume(ChildId id) {
        of(id).stopped = false;
        if (stack.child(id).isAlive()) {
            stack.child(id).resume();
        }
    }

    /** Finds out of what a process died, once. */
    private void look(ChildId id, Member member) {
        String printed = member.log.read();
        Optional<String> reached = lastWords(printed);
        member.armed = false;
        if (reached.isPresent()) {
            faultStats.addKillAt(reached.get());
            faultStats.injected(FaultKind.POINTS);
            record(id, "killed", reached.get());
        } else if (member.killed) {
            faultStats.addKill(id.role());
            record(id, "killed", "at random");
        } else if (mayHaveEnded(id, member, printed)) {
            record(id, "ended", "exit code " + stack.child(id).exitCode());
        } else {
            books.findings()
                    .differ(List.of("the " + id.label() + " ended by itself with exit code "
                            + stack.child(id).exitCode() + "; see "
                            + stack.child(id).spec().logFile()));
        }
        member.killed = false;
        member.mayGiveUp = false;
        member.lookedAfter = true;
    }

    /**
     * Whether it is no wonder that a process ended by itself: its disk failed, another writer took over from it, or it
     * is a PostgreSQL that finds processes of its former self or no room.
     */
    private boolean mayHaveEnded(ChildId id, Member member, String printed) {
        int code = stack.child(id).exitCode();
        return switch (id.role()) {
            case POSTGRESQL -> member.comesBack;
            case WRITER ->
                code == ServiceProcess.GAVE_UP
                        && (member.mayGiveUp || (of(Role.WRITER).size() > 1 && printed.contains(TAKEN_OVER)));
            case BROKER, WORKER -> member.mayGiveUp && code == ServiceProcess.GAVE_UP;
        };
    }

    private void record(ChildId id, String what, String how) {
        books.log().add("fault", line -> line.put("process", id.label()).put(what, how));
    }

    /** The point at which a process ended, by what it printed. */
    private static Optional<String> lastWords(String printed) {
        int words = printed.lastIndexOf(Failpoints.LAST_WORDS);
        return words < 0
                ? Optional.empty()
                : printed.substring(words + Failpoints.LAST_WORDS.length())
                        .lines()
                        .findFirst();
    }

    private void start(ChildId id, Member member, String points) {
        Map<String, String> properties = new TreeMap<>();
        if (!member.clockOffset.isZero()) {
            properties.put(SteadyClock.OFFSET, member.clockOffset.toString());
        }
        if (!points.isEmpty()) {
            properties.put(Failpoints.PROPERTY, points);
        }
        member.armed = !points.isEmpty();
        member.lookedAfter = false;
        stack.begin(id, properties);
    }

    private List<ChildId> of(Role role) {
        return members.keySet().stream().filter(id -> id.role() == role).toList();
    }

    private Member of(ChildId id) {
        return Objects.requireNonNull(members.get(id));
    }
}
