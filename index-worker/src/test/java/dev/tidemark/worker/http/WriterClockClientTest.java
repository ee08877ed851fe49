package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Permission;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Route;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.worker.clocks.CommitBound;

import static org.assertj.core.api.Assertions.assertThat;

class WriterClockClientTest {
    private final SteadyClock clock = new SteadyClock();
    private final HttpServer writer = writer();
    private final WriterClockClient client = new WriterClockClient(
            new ServiceConnection(ServiceClient.plain(URI.create("http://127.0.0.1:" + writer.port() + "/"))));
    private String answer = "{\"now\":\"2026-01-01T00:00:00.000001Z\",\"process\":\"p\"}";

    @AfterEach
    void stop() {
        writer.close();
    }

    @Test
    void readsItsOwnClockBeforeAndAfter() throws Exception {
        Instant before = clock.instant();
        ClockReading reading = client.ask(clock).orElseThrow();

        assertThat(reading.writer()).isEqualTo(Instant.parse("2026-01-01T00:00:00.000001Z"));
        assertThat(reading.process()).isEqualTo("p");
        assertThat(List.of(before, reading.sent(), reading.received(), clock.instant()))
                .isSorted();
    }

    @Test
    void aWriterThatMayHaveBeenReplacedSpeaksOfWhatWasReadBefore() throws Exception {
        answer = "{\"now\":\"2026-11-20T14:03:07Z\",\"process\":\"p\",\"version\":\"0002000000000000007\"";
        String plain = answer + "}";
        String aged = answer + ",\"versionAgeSeconds\":4.2}";
        answer = plain;
        ClockReading before = client.ask(clock).orElseThrow();
        answer = aged;
        ClockReading after = client.ask(clock).orElseThrow();

        assertThat(before.bound()).contains(new CommitBound(before.sent(), new RowVersion(2, 7)));
        assertThat(after.bound()).contains(new CommitBound(after.sent().minusMillis(4_200), new RowVersion(2, 7)));
    }

    @Test
    void takesNoAnswerThatIsNone() throws Exception {
        answer = "{\"now\":\"soon\",\"process\":\"p\"}";
        assertThat(client.ask(clock)).isEmpty();
        answer = "[";
        assertThat(client.ask(clock)).isEmpty();
        writer.close();
        assertThat(client.ask(clock)).isEmpty();
    }

    private HttpServer writer() {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 10, Duration.ofMillis(100)),
                    List::of,
                    () -> "",
                    "/dev/tidemark/worker/openapi.yaml",
                    List.of(Route.get("/v1/clock", Permission.NOTHING, call -> call.result(answer))));
        } catch (PortInUseException e) {
            throw new IllegalStateException(e);
        }
    }
}
