package dev.tidemark.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.testkit.TestCertificates;
import dev.tidemark.tls.TlsFiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** TLS by PEM files, against a server that asks for a certificate. */
final class PemTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void trustsAndShowsWhatIsInTheFiles() throws Exception {
        try (StubService service = StubService.startWith(asksForACertificate())) {
            service.answers(200, "{'indexes':[]}");
            Options options = Tidemark.options()
                    .worker(service.url())
                    .trust(file("ca.pem"))
                    .certificate(file("client.pem"), file("client.key"))
                    .build();

            assertThat(Tidemark.connect(options).worker().get("/v1/indexes").has("indexes"))
                    .isTrue();
        }
    }

    @Test
    void aServiceThatIsNotTrustedIsNotCalledAgain() throws Exception {
        try (StubService service = StubService.startWith(asksForACertificate())) {
            ManualTiming timing = new ManualTiming();
            Options options = Tidemark.options()
                    .worker(service.url())
                    .trust(file("other-ca.pem"))
                    .retryFor(Duration.ofHours(1))
                    .build();

            assertThatThrownBy(() -> Tidemark.connect(options, timing).worker().get("/v1/indexes"))
                    .isInstanceOf(TidemarkException.Unreachable.class)
                    .hasMessageEndingWith("cannot be reached: its certificate is not trusted, or is of another host");
            assertThat(timing.pauses).isEmpty();
        }
    }

    @Tag("slow")
    @Test
    void theNextUrlIsTriedAfterAHandshakeThatFails() throws Exception {
        try (StubService untrusted = StubService.startWith(asksForACertificate());
                ServerSocket closing = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                StubService service = StubService.start()) {
            Thread closer = new Thread(() -> {
                try {
                    closing.accept().close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            closer.start();
            service.answers(200, "{'indexes':[]}");
            Options options = Tidemark.options()
                    .worker(untrusted.url())
                    .worker("https://127.0.0.1:" + closing.getLocalPort())
                    .worker(service.url())
                    .trust(file("other-ca.pem"))
                    .build();

            assertThat(Tidemark.connect(options, new ManualTiming()).worker().get("/v1/indexes"))
                    .hasSize(1);
            closer.join();
        }
    }

    /** In TLS 1.3 the client sends before the service has judged its certificate. */
    @Test
    void aLoadWhoseCertificateIsRefusedIsNotSentInPartElsewhere() throws Exception {
        try (RefusingService refusing =
                        new RefusingService(asksForACertificate().getSSLContext());
                StubService service = StubService.start()) {
            service.answers(200, "{'committed':0,'rejected':[],'rejectedTotal':0}");
            Options options = Tidemark.options()
                    .writer(refusing.url())
                    .writer(service.url())
                    .trust(file("ca.pem"))
                    .certificate(file("stranger.pem"), file("stranger.key"))
                    .build();
            Table<ObjectNode> table =
                    Tidemark.connect(options, new ManualTiming()).session().table("t");
            Stream<Change<ObjectNode>> changes = Stream.of(Change.delete(1), Change.delete(2));

            assertThatThrownBy(() -> table.load(changes)).isInstanceOf(TidemarkException.OutcomeUnknown.class);
            assertThat(service.requests).isEmpty();
        }
    }

    @Test
    void aLoadIsSentToTheNextUrlWhereAServiceIsNotTrusted() throws Exception {
        try (StubService untrusted = StubService.startWith(asksForACertificate());
                StubService service = StubService.start()) {
            service.answers(200, "{'committed':1,'rejected':[],'rejectedTotal':0}");
            Options options = Tidemark.options()
                    .writer(untrusted.url())
                    .writer(service.url())
                    .trust(file("other-ca.pem"))
                    .build();
            Table<ObjectNode> table =
                    Tidemark.connect(options, new ManualTiming()).session().table("t");

            assertThat(table.load(Stream.of(Change.delete(1))).committed()).isEqualTo(1);
            assertThat(service.requests).containsExactly("POST /v1/tables/t/rows {\"$delete\":1}");
        }
    }

    @Test
    void aFileThatHoldsSomethingElseIsNamedAndNotShown() throws Exception {
        Path canary = Files.writeString(
                directory.resolve("canary.pem"), "-----BEGIN PRIVATE KEY-----\nAAcanary\n-----END PRIVATE KEY-----");

        assertThatThrownBy(Tidemark.options().trust(canary)::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("canary.pem");
        assertThatThrownBy(Tidemark.options().certificate(file("client.pem"), canary)::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("canary.pem")
                .hasMessageNotContaining("AAcanary");
        assertThatThrownBy(Tidemark.options().trust(directory.resolve("absent"))::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("absent");
    }

    private HttpsConfigurator asksForACertificate() throws BadSettingsException {
        TlsFiles files = new TlsFiles(
                Optional.of(file("server.pem")),
                Optional.of(file("server.key")),
                Optional.empty(),
                Optional.of(file("ca.pem")));
        return new HttpsConfigurator(files.load()) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters all = getSSLContext().getDefaultSSLParameters();
                all.setNeedClientAuth(true);
                parameters.setSSLParameters(all);
            }
        };
    }

    private Path file(String name) {
        return TestCertificates.put(name, directory);
    }
}
