package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class FindingsTest {
    private static final KeyBytes CARRIED = KeyBytes.wrap(new byte[1 << 20]);
    private static final KeyBytes NONE = KeyBytes.EMPTY;
    private static final Optional<KeyBytes> ABSENT = Optional.empty();
    private static final Generation GENERATION =
            Tables.generations(Tables.films()).get(0);

    @Test
    void examplesHaveTheBeginningsOfWhatIsCarriedAndFewBytesTogether() {
        Findings findings = new Findings(GENERATION);
        for (Difference.Kind kind : Difference.Kind.values()) {
            for (int i = 0; i < 1_000; i++) {
                findings.add(difference(kind));
            }
        }

        VerifyReport.OfGeneration report = findings.report(List.of(), List.of());

        assertThat(report.total()).isEqualTo(6_000);
        assertThat(report.examples()).extracting(Difference::kind).contains(Difference.Kind.values());
        assertThat(report.examples())
                .allSatisfy(example ->
                        assertThat(example.found().orElseThrow().length()).isEqualTo(4 << 10));
        assertThat(report(report).bytes()).isLessThan(512 << 10);
    }

    @Test
    void examplesAreKeptUpToTheLastByteOfTheirRoom() {
        Findings findings = new Findings(GENERATION);
        for (int i = 0; i < 3; i++) {
            findings.add(difference(Difference.Kind.STALE, 64 << 10));
        }
        findings.add(difference(Difference.Kind.STALE, (64 << 10) + 1));
        findings.add(difference(Difference.Kind.STALE, 64 << 10));
        findings.add(difference(Difference.Kind.STALE, 1));

        assertThat(findings.report(List.of(), List.of()).examples())
                .extracting(example -> example.entry().length())
                .containsExactly(64 << 10, 64 << 10, 64 << 10, 64 << 10);
    }

    @Test
    void aPartitionIsUndecidedUntilSomethingWrongIsFoundInIt() {
        Findings findings = new Findings(GENERATION);
        findings.undecided(1);
        findings.undecided(2);
        findings.add(difference(Difference.Kind.QUARANTINED, 1));
        findings.add(new Difference(
                Difference.Kind.STALE, 2, NONE, NONE, ABSENT, ABSENT, Optional.empty(), Optional.empty()));

        VerifyReport.OfGeneration report = findings.report(List.of(0, 1, 2), List.of());

        assertThat(report.undecided()).isEqualTo(2);
        assertThat(report.wrong()).containsOnly(Map.entry(2, 1L));
        assertThat(report.proofs().get(0)).isInstanceOf(VerificationResult.Equal.class);
        assertThat(report.proofs().get(1)).isInstanceOf(VerificationResult.Undecided.class);
        assertThat(report.proofs().get(2)).isInstanceOf(VerificationResult.Different.class);
    }

    @Test
    void jobsWhoseFindingsAreManyBytesAreForgottenSooner() {
        VerifyJobs desk = new VerifyJobs(0);
        int jobs = 90;
        for (int i = 0; i < jobs; i++) {
            VerifyJob job = desk.submit(new VerifySpec("films", Optional.empty(), VerifyRequest.Mode.FULL, false))
                    .orElseThrow();
            assertThat(desk.take()).contains(job);
            Findings findings = new Findings(GENERATION);
            for (int example = 0; example < Findings.KEPT; example++) {
                findings.add(difference(Difference.Kind.STALE));
            }
            job.is(new JobState.Done(report(findings.report(List.of(), List.of())), 0, Optional.empty()));
        }
        desk.take();

        long bytes = 0;
        for (int id = 1; id <= jobs; id++) {
            bytes += desk.find(Integer.toString(id))
                    .map(job -> job.state().bytes())
                    .orElse(0L);
        }
        assertThat(bytes).isBetween(4L << 20, 8L << 20);
        assertThat(desk.find(Integer.toString(jobs))).isPresent();
    }

    private static VerifyReport report(VerifyReport.OfGeneration index) {
        FactStreamHead head = new FactStreamHead(ChangeLog.version(1), ChangeLog.at(1));
        return new VerifyReport(VerifyReport.Basis.ROWS, head, Map.of(), List.of(index));
    }

    /** Names an entry of so many bytes, and nothing else. */
    private static Difference difference(Difference.Kind kind, int bytes) {
        KeyBytes entry = KeyBytes.wrap(new byte[bytes]);
        return new Difference(kind, 0, NONE, entry, ABSENT, ABSENT, Optional.empty(), Optional.empty());
    }

    private static Difference difference(Difference.Kind kind) {
        KeyBytes key = KeyBytes.wrap(new byte[] {1});
        Optional<KeyBytes> carried = Optional.of(CARRIED);
        return new Difference(kind, 0, key, key, carried, carried, Optional.empty(), Optional.empty());
    }
}
