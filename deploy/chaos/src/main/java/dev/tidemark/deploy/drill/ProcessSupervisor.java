package dev.tidemark.deploy.drill;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Failpoints;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.runtime.SteadyClock;

/**
 * Kills, stops and restarts the processes of a stack. A process that is found dead is started again; one that died
 * without a fault is a finding.
 */
public final class ProcessSupervisor {
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    private final LocalStack stack;
    private final FaultStats faultStats;
    private final HistoryRecorder books;
    private final Map<Role, Member> members = new EnumMap<>(Role.class);

    /** What is known of one process. */
    private static final class Member {
        private Instant downUntil = Instant.MIN;
        private Instant stoppedUntil = Instant.MIN;
        private boolean stopped;
        private boolean killed;
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
        for (Role role : Role.values()) {
            members.put(role, new Member(stack.child(role)));
        }
    }

    /**
     * Lets those go on whose pause is over, and starts those again that are dead and may come back.
     *
     * @param arming the points at which a process that is started is to end, as {@link Failpoints#PROPERTY} takes them;
     *     may be empty
     */
    void tick(Instant now, Function<Role, String> arming) {
        for (Role role : Role.values()) {
            Member member = of(role);
            ChildProcess child = stack.child(role);
            if (member.stopped && !now.isBefore(member.stoppedUntil)) {
                resume(role);
            }
            if (!child.isAlive()) {
                if (!member.lookedAfter) {
                    look(role, member);
                }
                if (!now.isBefore(member.downUntil)) {
                    start(role, member, arming.apply(role));
                }
            }
        }
    }

    /** SIGKILL; comes back at that time at the earliest. False where it is dead already. */
    boolean kill(Role role, Instant downUntil) throws InterruptedException {
        Member member = of(role);
        member.downUntil = downUntil;
        if (!stack.child(role).isAlive()) {
            return false;
        }
        member.killed = true;
        stack.child(role).kill();
        stack.child(role).awaitEnd(END_PATIENCE);
        member.stopped = false;
        return true;
    }

    /** SIGSTOP until that time. False where it is dead. */
    boolean stop(Role role, Instant until) {
        if (!stack.child(role).isAlive()) {
            return false;
        }
        try {
            stack.child(role).suspend();
        } catch (IllegalStateException e) {
            // It ended at a point in the same moment.
            return false;
        }
        Member member = of(role);
        member.stopped = true;
        member.stoppedUntil = until;
        return true;
    }

    /** From its next start on, the clock of the process is off by so much. */
    void clockOff(Role role, Duration offset) {
        of(role).clockOffset = offset;
    }

    /** Whether a service was started with a point that it has not reached yet. */
    boolean isArmed() {
        return members.entrySet().stream()
                .anyMatch(entry ->
                        entry.getValue().armed && stack.child(entry.getKey()).isAlive());
    }

    /** Whether all three run and serve, and none is stopped. */
    boolean isReady() {
        return members.entrySet().stream().allMatch(entry -> !entry.getValue().stopped && isServing(entry.getKey()));
    }

    /** Whether a process is stopped, and neither killed nor resumed. */
    boolean isStopped(Role role) {
        return of(role).stopped && stack.child(role).isAlive();
    }

    /** Whether a process runs and serves. */
    boolean isServing(Role role) {
        return stack.child(role).isAlive() && stack.isReady(role);
    }

    /** Resumes all stopped processes, and lets killed ones start again at once. */
    void relent() {
        members.forEach((role, member) -> {
            member.downUntil = Instant.MIN;
            if (member.stopped) {
                resume(role);
            }
        });
    }

    /** A process may end itself once to be started again, as one does whose disk failed. */
    void mayGiveUp(Role role) {
        of(role).mayGiveUp = true;
    }

    /** Who was to stay away may come back. */
    void mayComeBack(Role role) {
        of(role).downUntil = Instant.MIN;
    }

    /** The number of a process; empty where it is dead. */
    Optional<Long> pid(Role role) {
        return stack.child(role).handle().filter(ProcessHandle::isAlive).map(ProcessHandle::pid);
    }

    /** Where a process keeps its data. */
    Path dataOf(Role role) {
        return stack.settings().data().resolve(role.label());
    }

    private void resume(Role role) {
        of(role).stopped = false;
        if (stack.child(role).isAlive()) {
            stack.child(role).resume();
        }
    }

    /** Finds out of what a process died, once. */
    private void look(Role role, Member member) {
        Optional<String> reached = lastWords(member.log.read());
        member.armed = false;
        if (reached.isPresent()) {
            faultStats.addKillAt(reached.get());
            faultStats.injected(FaultKind.POINTS);
            record(role, "killed", reached.get());
        } else if (member.killed) {
            faultStats.addKill(role);
            record(role, "killed", "at random");
        } else if (member.mayGiveUp && stack.child(role).exitCode() == ServiceProcess.GAVE_UP) {
            record(role, "ended", "gave up");
        } else {
            books.findings()
                    .differ(List.of("the " + role.label() + " ended by itself with exit code "
                            + stack.child(role).exitCode() + "; see "
                            + stack.child(role).spec().logFile()));
        }
        member.killed = false;
        member.mayGiveUp = false;
        member.lookedAfter = true;
    }

    private void record(Role role, String what, String how) {
        books.log().add("fault", line -> line.put("process", role.label()).put(what, how));
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

    private void start(Role role, Member member, String points) {
        Map<String, String> properties = new TreeMap<>();
        if (!member.clockOffset.isZero()) {
            properties.put(SteadyClock.OFFSET, member.clockOffset.toString());
        }
        if (!points.isEmpty()) {
            properties.put(Failpoints.PROPERTY, points);
        }
        member.armed = !points.isEmpty();
        member.lookedAfter = false;
        stack.begin(role, properties);
    }

    private Member of(Role role) {
        return Objects.requireNonNull(members.get(role));
    }
}
