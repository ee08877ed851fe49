package dev.tidemark.tls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.testkit.TestCertificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TlsFilesTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void readsKeysOfEitherKindAndEncryptedOnes() throws BadSettingsException {
        assertThat(files("server.pem", "server.key", "").load()).isNotNull();
        assertThat(files("rsa.pem", "rsa.key", "").load()).isNotNull();
        assertThat(files("server.pem", "server-encrypted.key", TestCertificates.PASSWORD)
                        .load())
                .isNotNull();
    }

    @Test
    void refusesAKeyThatThePasswordDoesNotOpenWithoutShowingIt() {
        assertThatThrownBy(files("server.pem", "server-encrypted.key", "canary-wrong")::load)
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("tls.key.password")
                .hasMessageNotContaining("canary");
        assertThatThrownBy(files("server.pem", "server-encrypted.key", "")::load)
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("tls.key.password");
    }

    @Test
    void readsAKeyThatIsEncryptedByAnOlderScheme() throws BadSettingsException {
        assertThat(files("server.pem", "pbes1-3des.key", TestCertificates.PASSWORD)
                        .load())
                .isNotNull();
    }

    @Test
    void namesTheSchemesWhereAKeyIsEncryptedInAWayThatTheJdkDoesNotKnow() {
        for (String key : List.of("pbes1-des.key", "pbes2-3des.key")) {
            assertThatThrownBy(files("server.pem", key, TestCertificates.PASSWORD)::load)
                    .isInstanceOf(BadSettingsException.class)
                    .hasMessageContaining(key)
                    .hasMessageContaining("PBES2 with AES")
                    .hasMessageNotContaining("password");
        }
    }

    @Test
    void refusesAKeyOfAnotherCertificate() {
        assertThatThrownBy(files("server.pem", "client.key", "")::load)
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("it is another's");
        assertThatThrownBy(files("rsa.pem", "client.key", "")::load).isInstanceOf(BadSettingsException.class);
    }

    @Test
    void saysHowToTurnAnotherFormOfKeyIntoTheRightOne() {
        assertThatThrownBy(files("rsa.pem", "traditional.key", "")::load)
                .isInstanceOf(BadSettingsException.class)
                .hasMessageEndingWith("openssl pkcs8 -topk8 -nocrypt");
    }

    @Test
    void refusesFilesThatHoldSomethingElse() throws Exception {
        TlsFiles files = files("server.pem", "server.key", "");
        SecretFiles.write(directory.resolve("server.pem"), "canary");
        assertThatThrownBy(files::load)
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("server.pem")
                .hasMessageNotContaining("canary");

        TestCertificates.put("server.pem", directory);
        SecretFiles.write(
                directory.resolve("server.key"), "-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----");
        assertThatThrownBy(files::load)
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("server.key")
                .hasMessageNotContaining("canary");
    }

    @Test
    void refusesAKeyThatOthersMayRead() throws Exception {
        TlsFiles files = files("server.pem", "server.key", "");
        Files.setPosixFilePermissions(directory.resolve("server.key"), PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(files::load).hasMessageContaining("chmod 600");
    }

    @Test
    void doesNotShowThePassword() {
        assertThat(files("server.pem", "server.key", "canary").toString()).doesNotContain("canary");
    }

    private TlsFiles files(String certificate, String key, String password) {
        return new TlsFiles(
                Optional.of(TestCertificates.put(certificate, directory)),
                Optional.of(TestCertificates.put(key, directory)),
                Optional.of(password).filter(text -> !text.isEmpty()),
                Optional.empty());
    }
}
