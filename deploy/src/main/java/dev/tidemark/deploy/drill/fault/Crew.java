package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.drill.history.Findings;
import dev.tidemark.deploy.drill.history.HistoryLog;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.KillPoints;
import dev.tidemark.runtime.SteadyClock;

/**
 * The processes of a stack that are killed, stopped and brought back. Whoever is found dead is started again, armed with the
 * point that was hit least so far where points are wanted; who died without having been hit is a finding.
 */
public final class Crew {
    private static final int OFTEN = 60;
    private static final int SELDOM = 2;
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    private final LocalStack stack;
    private final Casualties casualties;
    private final Findings findings;
    private final HistoryLog log;
    private final Random random;
    private final Map<Role, Member> members = new EnumMap<>(Role.class);
    private final Map<Place, Integer> tried = new HashMap<>();

    /** What is known of one process. */
    private static final class Member {
        private Instant downUntil = Instant.MIN;
        private Instant stoppedUntil = Instant.MIN;
        private boolean stopped;
        private boolean killed;
        private boolean lookedAfter;
        private Duration clockOffset = Duration.ZERO;
        private @Nullable Place armed;
        private long logRead;
    }

    public Crew(LocalStack stack, Casualties casualties, Findings findings, HistoryLog log, Random random) {
        this.stack = stack;
        this.casualties = casualties;
        this.findings = findings;
        this.log = log;
        this.random = random;
        for (Role role : Role.values()) {
            members.put(role, new Member());
        }
    }

    /** Lets those go on whose pause is over, and starts those again that are dead and may come back. */
    void tick(Instant now, boolean arming) {
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
                    start(role, member, arming);
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
                .anyMatch(entry -> entry.getValue().armed != null
                        && stack.child(entry.getKey()).isAlive());
    }

    /** Whether all three run and serve, and none is stopped. */
    boolean isReady() {
        return members.entrySet().stream()
                .allMatch(entry -> !entry.getValue().stopped
                        && stack.child(entry.getKey()).isAlive()
                        && stack.isReady(entry.getKey()));
    }

    /** Nothing is stopped, and nobody has to stay away any longer. */
    void relent() {
        members.forEach((role, member) -> {
            member.downUntil = Instant.MIN;
            if (member.stopped) {
                resume(role);
            }
        });
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
        Place armed = member.armed;
        member.armed = null;
        boolean reached = newInLog(role, member).contains(KillPoints.LAST_WORDS);
        if (reached && armed != null) {
            casualties.addKillAt(armed.label());
            casualties.injected(FaultKind.POINTS);
            log.add("fault", line -> line.put("process", role.label()).put("killed", armed.label()));
        } else if (member.killed) {
            casualties.addKill(role);
            log.add("fault", line -> line.put("process", role.label()).put("killed", "at random"));
        } else {
            findings.differ(List.of("the " + role.label() + " ended by itself with exit code "
                    + stack.child(role).exitCode() + "; see "
                    + stack.child(role).spec().logFile()));
        }
        member.killed = false;
        member.lookedAfter = true;
    }

    private void start(Role role, Member member, boolean arming) {
        Map<String, String> properties = new TreeMap<>();
        if (!member.clockOffset.isZero()) {
            properties.put(SteadyClock.OFFSET, member.clockOffset.toString());
        }
        if (arming && !Place.of(role).isEmpty()) {
            Place place = next(role);
            member.armed = place;
            int most = place.often() ? OFTEN : SELDOM;
            properties.put(KillPoints.PROPERTY, place.label() + ":" + (1 + random.nextInt(most)));
        }
        member.lookedAfter = false;
        stack.begin(role, properties);
    }

    /** One of the places that were hit least, and of those one that was tried least. */
    private Place next(Role role) {
        List<Place> places = new ArrayList<>(Place.of(role));
        Collections.shuffle(places, random);
        Place next = Collections.min(
                places, Comparator.comparing(casualties::hits).thenComparing(place -> tried.getOrDefault(place, 0)));
        tried.merge(next, 1, Integer::sum);
        return next;
    }

    private String newInLog(Role role, Member member) {
        Path file = stack.child(role).spec().logFile();
        try {
            String all = Files.readString(file, StandardCharsets.ISO_8859_1);
            String fresh = all.substring((int) Math.min(member.logRead, all.length()));
            member.logRead = all.length();
            return fresh;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Member of(Role role) {
        return Objects.requireNonNull(members.get(role));
    }
}
