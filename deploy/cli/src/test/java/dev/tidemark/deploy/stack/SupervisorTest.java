package dev.tidemark.deploy.stack;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class SupervisorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory = Path.of("");

    private final TestClock clock = new TestClock();
    private final List<String> heard = new ArrayList<>();
    private ChildProcess child = new ChildProcess(new ChildSpec(ChildId.first(Role.WORKER), List.of("cat"), directory));

    @BeforeEach
    void start() {
        child = new ChildProcess(new ChildSpec(ChildId.first(Role.WORKER), List.of("cat"), directory));
        child.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        killChild();
    }

    @Test
    void leavesALivingChildAlone() {
        assertThat(supervisor(true).doWork()).isZero();
        assertThat(heard).isEmpty();
    }

    @Test
    void startsADeadChildAgainAfterAShortRest() throws InterruptedException {
        Supervisor supervisor = supervisor(true);
        killChild();

        supervisor.doWork();
        supervisor.doWork();
        assertThat(heard).containsExactly("worker died with 137, restarting: true");
        assertThat(child.isAlive()).isFalse();

        clock.pass(Supervisor.FIRST_REST);
        supervisor.doWork();
        assertThat(heard).last().isEqualTo("worker restarted");
        assertThat(child.isAlive()).isTrue();
    }

    @Test
    void restsLongerWhenTheChildDiesYoungAgain() throws InterruptedException {
        Supervisor supervisor = supervisor(true);
        dieAndRest(supervisor, Supervisor.FIRST_REST);
        dieAndRest(supervisor, Supervisor.FIRST_REST);
        assertThat(child.isAlive()).isFalse();

        clock.pass(Supervisor.FIRST_REST);
        supervisor.doWork();
        assertThat(child.isAlive()).isTrue();
    }

    @Test
    void forgivesAChildThatLivedLong() throws InterruptedException {
        Supervisor supervisor = supervisor(true);
        dieAndRest(supervisor, Supervisor.FIRST_REST);
        clock.pass(Supervisor.GROWN_UP);
        dieAndRest(supervisor, Supervisor.FIRST_REST);

        assertThat(child.isAlive()).isTrue();
    }

    @Test
    void onlyReportsADeathWhenItMayNotRestart() throws InterruptedException {
        Supervisor supervisor = supervisor(false);
        dieAndRest(supervisor, Supervisor.LONGEST_REST);

        assertThat(heard).containsExactly("worker died with 137, restarting: false");
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void triesAgainAfterAStartThatFailed() throws InterruptedException {
        Supervisor supervisor = supervisor(true);
        ChildSpec good = child.spec();
        child.respecify(new ChildSpec(good.id(), List.of("no-such-program"), directory));
        dieAndRest(supervisor, Supervisor.FIRST_REST);
        assertThat(heard).last().asString().startsWith("worker not restarted: Expected to start the worker, but ");

        child.respecify(good);
        clock.pass(Supervisor.FIRST_REST);
        supervisor.doWork();
        assertThat(child.isAlive()).isFalse();

        clock.pass(Supervisor.LONGEST_REST);
        supervisor.doWork();
        assertThat(heard).last().isEqualTo("worker restarted");
        assertThat(child.isAlive()).isTrue();
    }

    private void dieAndRest(Supervisor supervisor, Duration rest) throws InterruptedException {
        killChild();
        supervisor.doWork();
        clock.pass(rest);
        supervisor.doWork();
    }

    private void killChild() throws InterruptedException {
        child.kill();
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
    }

    private Supervisor supervisor(boolean restart) {
        return new Supervisor(List.of(child), restart, clock, new StackListener() {
            @Override
            public void died(ChildId id, int exitCode, boolean restarting) {
                heard.add(id.label() + " died with " + exitCode + ", restarting: " + restarting);
            }

            @Override
            public void restarted(ChildId id) {
                heard.add(id.label() + " restarted");
            }

            @Override
            public void notRestarted(ChildId id, String why) {
                heard.add(id.label() + " not restarted: " + why);
            }
        });
    }

    /** Time that passes when the test says so. */
    private static final class TestClock extends Clock {
        private Instant now = Instant.EPOCH;

        void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
