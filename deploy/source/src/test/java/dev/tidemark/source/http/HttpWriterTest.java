package dev.tidemark.source.http;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Test;

import dev.tidemark.client.Tidemark;
import dev.tidemark.row.RowJson;
import dev.tidemark.source.feed.Progress;
import dev.tidemark.source.feed.Writer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class HttpWriterTest {
    private static final int REFUSALS = 3;

    @Test
    void aBatchIsSentAgainWithPausesThatGrowWhileItsOutcomeIsUnknown() throws Exception {
        List<Long> arrivals = new ArrayList<>();
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            arrivals.add(System.nanoTime());
            byte[] answer = (arrivals.size() <= REFUSALS ? "bad gateway" : "{\"nextVersion\":\"7\"}").getBytes(UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(arrivals.size() <= REFUSALS ? 502 : 200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        proxy.start();
        List<Object> warnings = new ArrayList<>();
        Progress progress = (Progress) Proxy.newProxyInstance(
                Progress.class.getClassLoader(), new Class<?>[] {Progress.class}, (self, method, of) -> {
                    if (method.getName().equals("warn")) {
                        warnings.add(of[0]);
                    }
                    return null;
                });
        try (Tidemark client = Tidemark.connect(Tidemark.options()
                .writer("http://127.0.0.1:" + proxy.getAddress().getPort())
                .mapper(RowJson.mapper())
                .build())) {
            ObjectNode position = RowJson.mapper().createObjectNode().put("at", 1);
            Writer.Batch batch = new Writer.Batch(position, position, Optional.empty(), List.of(), Optional.empty());

            assertThat(new HttpWriter(client, "shop", progress).send(batch)).isEqualTo("7");
        } finally {
            proxy.stop(0);
        }
        assertThat(warnings).hasSize(REFUSALS);
        assertThat(Duration.ofNanos(arrivals.get(REFUSALS) - arrivals.get(0))).isGreaterThan(Duration.ofMillis(650));
    }
}
