package dev.tidemark.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.testkit.TestCertificates;
import dev.tidemark.tls.TlsFiles;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TlsTest {
    @TempDir
    private Path directory = Path.of("");

    private Optional<HttpServer> running = Optional.empty();

    @AfterEach
    void stop() {
        running.ifPresent(HttpServer::close);
    }

    @Test
    void answersWhoTrustsItsCertificate() throws Exception {
        HttpServer server = start();

        assertThat(get(server, trusting("ca.pem", "")).statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> get(server, trusting("other-ca.pem", ""))).isInstanceOf(SSLException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void speaksTheNewVersions(String version) throws Exception {
        assertThat(handshake(start(), version)).isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.1", "TLSv1"})
    void speaksNoOldVersion(String version) throws Exception {
        HttpServer server = start();

        assertThatThrownBy(() -> handshake(server, version)).isInstanceOf(SSLException.class);
    }

    @Test
    void speaksNoSuiteWithPaddingThatCanBeGuessed() throws Exception {
        HttpServer server = start();
        List<String> suites = Arrays.stream(
                        trusting("ca.pem", "").load().getDefaultSSLParameters().getCipherSuites())
                .filter(suite -> suite.contains("_CBC_"))
                .toList();
        assertThat(suites).isNotEmpty();
        try (SSLSocket socket = connect(server)) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.setEnabledCipherSuites(suites.toArray(String[]::new));
            assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
        }
        assertThat(handshake(server, "TLSv1.2")).isEqualTo("TLSv1.2");
    }

    @Test
    void answersNoPlainRequest() throws Exception {
        HttpServer server = start();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));

            assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
                    .doesNotContain("HTTP/1.1");
        }
    }

    @Test
    void asksClientsForACertificateOfItsAuthority() throws Exception {
        HttpServer server = start("tls.client.ca", TestCertificates.put("ca.pem", directory, "clients.pem"));

        assertThat(get(server, trusting("ca.pem", "client")).statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> get(server, trusting("ca.pem", ""))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get(server, trusting("ca.pem", "stranger"))).isInstanceOf(IOException.class);
    }

    @Test
    void showsACertificateThatChangedWithoutDroppingConnections() throws Exception {
        HttpServer server = start();
        HttpClient before = client(trusting("ca.pem", ""));
        assertThat(send(server, before).statusCode()).isEqualTo(200);
        X509Certificate first = shown(server);

        TestCertificates.put("renewed.pem", directory, "server.pem");
        server.refreshSecurity();
        assertThat(shown(server)).as("while the key is the old one").isEqualTo(first);
        TestCertificates.put("renewed.key", directory, "server.key");
        server.refreshSecurity();

        assertThat(shown(server)).isNotEqualTo(first);
        assertThat(send(server, before).statusCode()).isEqualTo(200);
    }

    @Test
    void aPeerShowsItsTokenAndTakesANewOne() throws Exception {
        Path token = SecretFiles.write(directory.resolve("token"), "one-0123456789-0123456");
        TlsFiles trust = trusting("ca.pem", "");
        ServiceClient peer = ServiceClient.open(List.of(URI.create("https://127.0.0.1:1/")), trust, Optional.of(token));
        assertThat(peer.credentials().authorization()).contains("Bearer one-0123456789-0123456");

        SecretFiles.write(token, "two-0123456789-0123456789");
        peer.refresh();

        assertThat(peer.credentials().authorization()).contains("Bearer two-0123456789-0123456789");
        assertThat(peer.toString() + peer.credentials()).doesNotContain("0123456789");
    }

    @Test
    void endsWithAClientWhoseBodyWasRefused() throws Exception {
        HttpServer server = start();
        try (SSLSocket socket = connect(server)) {
            socket.getOutputStream()
                    .write("POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf"
                            .getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(10_000);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 404")
                    .contains("Connection: close");
        }
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> server.waitingForClients() == 0);
        server.close();
        assertThat(server.connections()).isZero();
    }

    @Test
    void halfAHandshakeTakesNoThreadAndIsCutOff() throws Exception {
        HttpServer server = start();
        HttpClient client = client(trusting("ca.pem", ""));
        List<Socket> halfOpen = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                halfOpen.add(socket);
                // The head of a record with a ClientHello, of which nothing follows but its first bytes.
                socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 252, 3, 3});
            }
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> server.connections() >= halfOpen.size());

            assertThat(send(server, client).statusCode()).isEqualTo(200);
            assertThat(server.closeSlowClients(Instant.EPOCH)).isZero();
            assertThat(server.closeSlowClients(Instant.EPOCH.plus(HttpLimits.WINDOW)))
                    .isEqualTo(halfOpen.size());
        } finally {
            for (Socket socket : halfOpen) {
                socket.close();
            }
        }
    }

    private HttpServer start(Object... more) throws Exception {
        Object[] settings = new Object[4 + more.length];
        settings[0] = "tls.certificate";
        settings[1] = TestCertificates.put("server.pem", directory);
        settings[2] = "tls.key";
        settings[3] = TestCertificates.put("server.key", directory);
        System.arraycopy(more, 0, settings, 4, more.length);
        Security security =
                Security.open("127.0.0.1", SecuritySettingsOf.values(settings), List::of, new ManualClock());
        HttpServer server = HttpServer.start(
                new HttpSettings("127.0.0.1", 0, 8, Duration.ofSeconds(1)),
                security,
                MemoryBudget.unlimited(),
                List::of,
                () -> "",
                "/dev/tidemark/http/openapi-of-test.yaml",
                List::of);
        running = Optional.of(server);
        return server;
    }

    private TlsFiles trusting(String ca, String own) {
        Optional<String> name = Optional.of(own).filter(text -> !text.isEmpty());
        return new TlsFiles(
                name.map(text -> TestCertificates.put(text + ".pem", directory)),
                name.map(text -> TestCertificates.put(text + ".key", directory)),
                Optional.empty(),
                Optional.of(TestCertificates.put(ca, directory)));
    }

    private static HttpClient client(TlsFiles files) throws BadSettingsException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(files.load())
                .build();
    }

    private static HttpResponse<String> get(HttpServer server, TlsFiles files) throws Exception {
        return send(server, client(files));
    }

    private static HttpResponse<String> send(HttpServer server, HttpClient client) throws Exception {
        ServiceClient peer = ServiceClient.plain(URI.create("https://127.0.0.1:" + server.port()));
        return client.send(HttpRequest.newBuilder(peer.address("/health/live")).build(), BodyHandlers.ofString());
    }

    private X509Certificate shown(HttpServer server) throws Exception {
        try (SSLSocket socket = connect(server)) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private String handshake(HttpServer server, String version) throws Exception {
        try (SSLSocket socket = connect(server)) {
            socket.setEnabledProtocols(new String[] {version});
            socket.startHandshake();
            return socket.getSession().getProtocol();
        }
    }

    private SSLSocket connect(HttpServer server) throws Exception {
        SSLContext context = trusting("ca.pem", "").load();
        return (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port());
    }
}
