package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.verify.VerifyRequest.Mode;

import static org.assertj.core.api.Assertions.assertThat;

class VerifyJobsTest {
    private static final VerifySpec ORDER = new VerifySpec("films", Optional.empty(), Mode.QUICK, true);

    private final VerifyJobs jobs = new VerifyJobs(0);

    @Test
    void ordersAreTakenInTheirTurnAndSomebodyWaitsUntilThen() {
        assertThat(jobs.isWaited()).isFalse();
        assertThat(jobs.take()).isEmpty();

        VerifyJob first = jobs.submit(ORDER).orElseThrow();
        VerifyJob second = jobs.submit(ORDER).orElseThrow();

        assertThat(first.id()).isEqualTo("1");
        assertThat(second.id()).isEqualTo("2");
        assertThat(first.order()).isEqualTo(ORDER);
        assertThat(jobs.isWaited()).isTrue();
        assertThat(jobs.take()).containsSame(first);
        assertThat(jobs.isWaited()).isTrue();
        assertThat(jobs.take()).containsSame(second);
        assertThat(jobs.isWaited()).isFalse();
    }

    @Test
    void noJobIsNamedLikeOneOfAnEarlierProcess() {
        jobs.submit(ORDER);
        VerifyJobs afterARestart = new VerifyJobs(1);
        assertThat(afterARestart.submit(ORDER).orElseThrow().id()).isEqualTo("2");
        assertThat(afterARestart.find("1")).isEmpty();
    }

    @Test
    void theLast100JobsAreRememberedAndThoseThatAreNotOver() {
        VerifyJob running = submit();
        running.is(new JobState.Running(1, 2));
        List<VerifyJob> over = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            over.add(submit());
            over.get(i).is(new JobState.Failed("a test"));
        }
        assertThat(over).allMatch(job -> jobs.find(job.id()).isPresent());

        jobs.submit(ORDER);

        assertThat(jobs.find(running.id())).containsSame(running);
        assertThat(jobs.find(over.get(0).id())).isEmpty();
        assertThat(jobs.find(over.get(1).id())).isPresent();
    }

    @Test
    void jobsAreForgottenOnceTheirFindingsAreMoreThan8MiBButNeverTheLast() {
        VerifyJob first = over(4 << 20);
        VerifyJob second = over(4 << 20);
        jobs.take();
        assertThat(jobs.find(first.id())).isPresent();

        VerifyJob third = over(4 << 20);
        jobs.take();
        assertThat(jobs.find(first.id())).isEmpty();
        assertThat(jobs.find(second.id())).isPresent();

        VerifyJob last = over(9 << 20);
        jobs.take();
        assertThat(jobs.find(second.id())).isEmpty();
        assertThat(jobs.find(third.id())).isEmpty();
        assertThat(jobs.find(last.id())).isPresent();
    }

    /** A job that found so many bytes. */
    private VerifyJob over(int bytes) {
        VerifyJob job = submit();
        job.is(new JobState.Done(VerifyReportTest.found(bytes), 0, Optional.empty()));
        return job;
    }

    private VerifyJob submit() {
        VerifyJob job = jobs.submit(ORDER).orElseThrow();
        assertThat(jobs.take()).containsSame(job);
        return job;
    }
}
