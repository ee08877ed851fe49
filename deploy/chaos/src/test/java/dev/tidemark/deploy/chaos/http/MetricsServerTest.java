package dev.tidemark.deploy.chaos.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.client.ServiceException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class MetricsServerTest {
    @Test
    void answersScrapes() throws Exception {
        try (MetricsServer server = MetricsServer.start(0, () -> "a 1\n")) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("a 1\n");
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
        }
    }

    @Test
    void saysThatAPortIsTaken() throws Exception {
        try (MetricsServer server = MetricsServer.start(0, () -> "")) {
            assertThatThrownBy(() -> MetricsServer.start(server.port(), () -> ""))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("port " + server.port());
        }
    }
}
