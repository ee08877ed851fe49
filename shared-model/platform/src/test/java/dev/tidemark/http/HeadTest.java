package dev.tidemark.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A request for the head of an answer alone makes no more of the answer than that takes. */
class HeadTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger made = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private URI url = URI.create("");
    private AutoCloseable running = () -> {};

    @BeforeEach
    void start() throws Exception {
        HttpServer server = HttpServer.start(
                new HttpSettings("127.0.0.1", 0, 8, Duration.ofSeconds(10)),
                List::of,
                () -> "",
                "/dev/tidemark/http/openapi-of-test.yaml",
                List.of(
                        Route.get("/pieces", Permission.NOTHING, call -> call.result(new Many())),
                        Route.get("/feed", Permission.NOTHING, call -> call.result(new Follower()))));
        running = server;
        url = URI.create(server.url());
    }

    @AfterEach
    void stop() throws Exception {
        running.close();
    }

    @Test
    void anAnswerInPiecesIsNotReadToItsEnd() throws Exception {
        head("/pieces");

        assertThat(made).hasValueLessThan(2);
    }

    @Test
    void anAnswerWithoutAnEndIsNotBegun() throws Exception {
        head("/feed");

        assertThat(made).hasValue(0);
    }

    private void head(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(url.resolve(path))
                .method("HEAD", BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30))
                .build();

        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private final class Many implements BodyChunks {
        @Override
        public ByteBuffer next() {
            if (made.incrementAndGet() > 1_000) {
                throw new IllegalStateException("nobody reads that much");
            }
            return ByteBuffer.allocate(1_000);
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private final class Follower implements FeedPublisher {
        @Override
        public void open(Feed feed) {
            made.incrementAndGet();
        }

        @Override
        public void sent() {
            made.incrementAndGet();
        }

        @Override
        public void closed() {
            closed.countDown();
        }
    }
}
