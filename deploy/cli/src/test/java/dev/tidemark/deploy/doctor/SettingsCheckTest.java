package dev.tidemark.deploy.doctor;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.doctor.Finding.Verdict;
import dev.tidemark.settings.BadSettingsException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

class SettingsCheckTest {
    private static final String JAAS = "kafka.sasl.jaas.config=Module required password=\"hunter2\";";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void goodSettingsAreRead() throws Exception {
        assertThat(writer(installed().writer()))
                .extracting(Finding::check, Finding::verdict)
                .containsExactly(tuple("writer settings", Verdict.OK), tuple("catalog", Verdict.OK));
    }

    @Test
    void anUnknownKeyNamesTheNearestOne() throws Exception {
        assertThat(writer(installed().writer("htpt.port=1")))
                .singleElement()
                .returns(Verdict.FAILED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.found()).contains("htpt.port", "expected http.port"));
    }

    @Test
    void aFileThatIsNamedHasToBeThere() {
        assertThat(writer(directory.resolve("none")))
                .singleElement()
                .returns(Verdict.FAILED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.found()).contains("there is none"));
    }

    @Test
    void theUsualFileNeedNotBeThere() {
        assumeThat(Path.of("/etc/tidemark")).doesNotExist();
        Findings findings = new Findings();

        SettingsCheck.ofWorker(values -> {}, findings).read(Optional.empty(), Map.of());

        assertThat(findings.all())
                .singleElement()
                .returns(Verdict.SKIPPED, Finding::verdict)
                .satisfies(finding -> assertThat(finding.found()).contains("--worker-config"));
    }

    @Test
    void theEnvironmentIsEnough() {
        Findings findings = new Findings();

        Optional<ServiceSettings> read = SettingsCheck.ofWorker(values -> {}, findings)
                .read(Optional.empty(), Map.of("TIDEMARK_WORKER_DATA_DIR", "/data", "TIDEMARK_WORKER_HTTP_PORT", "1"));

        assertThat(read)
                .hasValueSatisfying(settings -> assertThat(settings.url()).contains(URI.create("http://127.0.0.1:1")));
    }

    @Test
    void aSecretThatEveryUserCanReadFailsAndIsNotShown() throws Exception {
        Path file = installed().writer(JAAS);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(writer(file))
                .noneMatch(finding -> finding.toString().contains("hunter2"))
                .filteredOn(finding -> finding.verdict() == Verdict.FAILED)
                .singleElement()
                .returns("Run: chmod 640 " + file, Finding::advice);

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(writer(file)).allMatch(finding -> finding.verdict() == Verdict.OK);
    }

    @Test
    void aSecretOfTheEnvironmentIsNotInTheFile() throws Exception {
        Path file = installed().writer();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Findings findings = new Findings();

        SettingsCheck.ofWriter(values -> {}, findings)
                .read(Optional.of(file), Map.of("TIDEMARK_WRITER_KAFKA_SSL_KEYSTORE_PASSWORD", "hunter2"));

        assertThat(findings.all()).allMatch(finding -> finding.verdict() == Verdict.OK);
    }

    @Test
    void anAddressOfManyColonsHasBrackets() throws Exception {
        assertThat(installed().writerSettings("http.host=::1").url()).contains(URI.create("http://[::1]:8081"));
    }

    @Test
    void whatTheServiceRefusesBeforeItListensFails() throws Exception {
        StartCheck refusing = values -> {
            throw new BadSettingsException("there is no TLS");
        };

        assertThat(writer(installed().writer(), refusing))
                .singleElement()
                .returns(Verdict.FAILED, Finding::verdict)
                .returns("there is no TLS", Finding::found);
    }

    @Test
    void aBrokenCatalogFails() throws Exception {
        Path file = installed().writer();
        Files.writeString(directory.resolve("catalog.yaml"), "tables: { people: { } }");

        assertThat(writer(file)).last().returns("catalog", Finding::check).returns(Verdict.FAILED, Finding::verdict);
    }

    @Test
    void anAddressThatOtherWorkersCannotReachWarns() throws Exception {
        Findings findings = new Findings();

        SettingsCheck.ofWorker(values -> {}, findings)
                .read(Optional.of(installed().worker("http.host=0.0.0.0")), Map.of());

        assertThat(findings.all())
                .last()
                .returns(Verdict.WARNING, Finding::verdict)
                .satisfies(finding -> assertThat(finding.advice()).contains("advertised.url"));
    }

    private Installed installed() {
        return new Installed(directory);
    }

    private static List<Finding> writer(Path file) {
        return writer(file, values -> {});
    }

    private static List<Finding> writer(Path file, StartCheck start) {
        Findings findings = new Findings();
        Optional<ServiceSettings> unused =
                SettingsCheck.ofWriter(start, findings).read(Optional.of(file), Map.of());
        return findings.all();
    }
}
