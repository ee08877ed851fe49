package dev.tidemark.http;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.testkit.TestCertificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BindRuleTest {
    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.9.10", "localhost", "::1"})
    void letsAnybodyListenOnThisMachine(String host) throws BadSettingsException {
        assertThat(open(host).notes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.7", "no-such-name.invalid"})
    void refusesOtherAddressesAndNamesWhatIsMissing(String host) {
        assertThatThrownBy(() -> open(host))
                .isInstanceOf(BadSettingsException.class)
                .hasMessageContaining("http.host=" + host)
                .hasMessageContaining("tls.certificate and tls.key")
                .hasMessageContaining("auth.tokens.file or tls.client.ca")
                .hasMessageContaining("http.insecure=true");
    }

    @Test
    void namesOnlyWhatIsMissing() {
        assertThatThrownBy(() -> open("0.0.0.0", "auth.tokens.file", tokens()))
                .hasMessageContaining("tls.certificate")
                .hasMessageNotContaining("auth.tokens.file or");
        assertThatThrownBy(() -> open("0.0.0.0", "tls.certificate", certificate(), "tls.key", key()))
                .hasMessageContaining("auth.tokens.file or")
                .hasMessageNotContaining("no TLS");
    }

    @Test
    void allowsOtherAddressesWithTlsAndEitherKindOfAuthentication() throws BadSettingsException {
        assertThat(open("0.0.0.0", "tls.certificate", certificate(), "tls.key", key(), "auth.tokens.file", tokens())
                        .notes())
                .isEmpty();
        Path ca = TestCertificates.put("ca.pem", directory);
        assertThat(open("0.0.0.0", "tls.certificate", certificate(), "tls.key", key(), "tls.client.ca", ca)
                        .notes())
                .isEmpty();
    }

    @Test
    void obeysAnExplicitOrderAndGoesOnSayingSo() throws BadSettingsException {
        assertThat(open("0.0.0.0", "http.insecure", "true").notes())
                .singleElement()
                .satisfies(note -> assertThat(note.note().orElseThrow()).contains("http.host=0.0.0.0", "no TLS"));
    }

    @Test
    void refusesHalfACertificateAndClientsWithoutTls() {
        assertThatThrownBy(() -> open("127.0.0.1", "tls.certificate", certificate()))
                .hasMessageContaining("tls.certificate and tls.key together");
        assertThatThrownBy(() -> open("127.0.0.1", "tls.client.ca", certificate()))
                .hasMessageContaining("in TLS only");
    }

    private static Security open(String host, Object... settings) throws BadSettingsException {
        return Security.open(host, SecuritySettingsOf.values(settings), List::of, new ManualClock());
    }

    private Path certificate() {
        return TestCertificates.put("server.pem", directory);
    }

    private Path key() {
        return TestCertificates.put("server.key", directory);
    }

    private Path tokens() {
        return SecretFiles.write(
                directory.resolve("tokens"),
                "{'tokens':[{'name':'a','token':'0123456789-0123456789','scopes':['*']}]}");
    }
}
