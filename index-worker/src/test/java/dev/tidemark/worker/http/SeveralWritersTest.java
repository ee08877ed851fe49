package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.jetty.http.HttpMethod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.tidemark.http.BodyRule;
import dev.tidemark.http.Call;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Permission;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Route;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.runtime.SteadyClock;

import static dev.tidemark.worker.http.JsonValues.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Questions to a service at several addresses. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeveralWritersTest {
    private static final Question READ = Question.get("/v1/catalog");
    private static final Question CHANGE = Question.change(HttpMethod.PUT, "/v1/catalog", object(), 1);

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final URI second = writer("second", 200);

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    @Test
    void whereTheFirstIsGoneTheSecondIsAskedAndThenFirst() throws Exception {
        ServiceConnection writers = writers(gone());

        assertThat(send(writers, CHANGE).status()).isEqualTo(200);
        assertThat(send(writers, READ).status()).isEqualTo(200);
        assertThat(asked).containsExactly("second PUT", "second GET");
        assertThat(writers.service().address("/").toString()).isEqualTo(second + "/");
    }

    @Test
    void whereTheFirstCannotAnswerAReadGoesOnAndAChangeDoesNot() throws Exception {
        URI first = writer("first", 503);

        assertThat(send(writers(first), READ).status()).isEqualTo(200);
        assertThat(send(writers(first), CHANGE).status()).isEqualTo(503);
        assertThat(asked).containsExactly("first GET", "second GET", "first PUT");
    }

    @Test
    void aWriterThatIsSilentLeavesTimeForTheNextOneAndIsAskedForNoChangeTwice() throws Exception {
        try (SilentWriter silent = new SilentWriter(SilentWriter.NOTHING)) {
            URI first = URI.create(silent.connection().toString());

            assertThat(send(writers(first), READ).status()).isEqualTo(200);
            assertThatThrownBy(() -> send(writers(first), CHANGE)).isInstanceOf(IOException.class);
            assertThat(asked).containsExactly("second GET");
        }
    }

    @Test
    void ofSeveralThatAreGoneTheLastFailureIsReported() throws Exception {
        ServiceConnection writers =
                keep(new ServiceConnection(ServiceClient.open(List.of(gone(), gone()), SecuritySettings.OPEN)));

        assertThatThrownBy(() -> send(writers, READ)).isInstanceOf(IOException.class);
    }

    private static ServiceConnection.Answer send(ServiceConnection writers, Question question) throws Exception {
        return writers.send(question, WriterCallLimit.alone(Duration.ofSeconds(2), new SteadyClock()), 1_000);
    }

    private ServiceConnection writers(URI first) throws Exception {
        return keep(new ServiceConnection(ServiceClient.open(List.of(first, second), SecuritySettings.OPEN)));
    }

    private static URI gone() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
    }

    private URI writer(String name, int status) {
        try {
            HttpServer server = keep(HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 10, Duration.ofMillis(100)),
                    List::of,
                    () -> "",
                    "/dev/tidemark/worker/openapi.yaml",
                    List.of(
                            Route.get("/v1/catalog", Permission.NOTHING, call -> answer(call, name, status)),
                            Route.put("/v1/catalog", Permission.NOTHING, call -> answer(call, name, status))
                                    .taking(BodyRule.of(100, "application/json")))));
            return URI.create(server.url());
        } catch (PortInUseException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(Call call, String name, int status) {
        asked.add(name + " " + call.method());
        call.status(status).result("{}");
    }

    private <T extends AutoCloseable> T keep(T opened) {
        open.add(opened);
        return opened;
    }
}
