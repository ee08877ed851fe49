package dev.tidemark.deploy.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.doctor.Finding.Verdict;
import dev.tidemark.testkit.SourceTree;

import static org.assertj.core.api.Assertions.assertThat;

class MachineTest {
    private static final long GIB = 1L << 30;
    private static final Machine GOOD = new Machine(17, 64, Optional.empty(), 131_072, 8 * GIB);

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aUsualMachineIsGood() throws Exception {
        assertThat(judged(GOOD, "")).hasSize(4).allMatch(finding -> finding.verdict() == Verdict.OK);
    }

    @Test
    void anOldOrNarrowJavaFails() throws Exception {
        assertThat(List.of(
                        new Machine(11, 64, Optional.empty(), 131_072, 8 * GIB),
                        new Machine(17, 32, Optional.empty(), 131_072, 8 * GIB)))
                .allSatisfy(machine -> assertThat(named("java", judged(machine, "")))
                        .returns(Verdict.FAILED, Finding::verdict)
                        .satisfies(finding -> assertThat(finding.advice()).contains("JAVA_HOME")));
    }

    @Test
    void aLibraryThatDoesNotLoadFailsWithItsReason() throws Exception {
        Machine machine = new Machine(17, 64, Optional.of("GLIBC_2.99 not found"), 131_072, 8 * GIB);

        assertThat(named("rocksdb", judged(machine, "")))
                .returns(Verdict.FAILED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.found()).contains("GLIBC_2.99 not found"));
    }

    @Test
    void fewFilesWarnAndFewerThanConnectionsFail() throws Exception {
        assertThat(named("open files", judged(new Machine(17, 64, Optional.empty(), 4_096, 8 * GIB), "")))
                .returns(Verdict.WARNING, Finding::verdict);
        assertThat(named("open files", judged(new Machine(17, 64, Optional.empty(), 1_024, 8 * GIB), "")))
                .returns(Verdict.FAILED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.advice()).contains("LimitNOFILE"));
    }

    @Test
    void memoryHasToHoldHeapAndCachesOfAllServices() throws Exception {
        assertThat(named("memory", judged(new Machine(17, 64, Optional.empty(), 131_072, GIB), "")))
                .returns(Verdict.FAILED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.found()).contains("1.1 GB, and 2 services may take 2.0 GB"));
        assertThat(named("memory", judged(GOOD, "-Xmx1g -Xmx6G"))).returns(Verdict.FAILED, Finding::verdict);
    }

    @Test
    void theLauncherGivesTheHeapThatIsReckonedWith() throws Exception {
        assertThat(Files.readString(SourceTree.ofProject().root().resolve("deploy/tidemark")))
                .contains("-Xmx512m");
    }

    @Test
    void thisMachineIsKnown() {
        assertThat(Machine.here(Optional.empty()))
                .satisfies(here -> assertThat(here.java()).isGreaterThanOrEqualTo(17))
                .satisfies(here -> assertThat(here.openFiles()).isPositive())
                .satisfies(here -> assertThat(here.memory()).isGreaterThan(100L << 20));
    }

    private List<Finding> judged(Machine machine, String options) throws IOException {
        Installed installed = new Installed(directory);
        Findings findings = new Findings();
        machine.judge(List.of(installed.writerSettings(), installed.workerSettings()), options, findings);
        return findings.all();
    }

    private static Finding named(String check, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow();
    }
}
