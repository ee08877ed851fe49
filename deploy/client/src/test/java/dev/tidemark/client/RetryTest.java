package dev.tidemark.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is sent again after a failure, when, and where; and what never is. */
final class RetryTest {
    private static final String WRITTEN = "{'key':1,'version':'1','token':'AgFhAAAABAAAAAAAAQAAAAA'}";
    private static final String BUSY = "{'type':'tidemark:writes-unavailable','status':503,'detail':'busy'}";

    private static final Duration SHORT = Duration.ofSeconds(2);

    private final StubService first = StubService.start();
    private final StubService second = StubService.start();
    private final ManualTiming timing = new ManualTiming();

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    private Tidemark client(String... urls) {
        Options.Builder options = Tidemark.options().connectTimeout(SHORT).requestTimeout(SHORT);
        for (String url : urls) {
            options.writer(url).worker(url);
        }
        return Tidemark.connect(options.build(), timing);
    }

    private Written put(Tidemark tidemark) {
        return tidemark.session().table("t", Map.class).put(1, Map.of("id", 1));
    }

    @Test
    void aRefusedWriteIsSentAgainAfterAtLeastRetryAfter() {
        first.answers(429, BUSY, "Retry-After", "3").answers(503, BUSY).answers(200, WRITTEN);

        assertThat(put(client(first.url())).version()).isEqualTo("1");

        assertThat(timing.pauses).containsExactly(Duration.ofMillis(3_050), Duration.ofMillis(100));
    }

    @Test
    void retryAfterMayBeADateByTheClockOfTheService() {
        String date = "Fri, 20 Nov 2026 12:00:07 GMT";

        assertThat(retryAfter(Map.of("Retry-After", date))).contains(Duration.ofSeconds(7));
        assertThat(retryAfter(Map.of("Retry-After", date, "Date", "Fri, 20 Nov 2026 12:00:05 GMT")))
                .contains(Duration.ofSeconds(2));
        assertThat(retryAfter(Map.of("Retry-After", date, "Date", "Fri, 20 Nov 2026 12:00:09 GMT")))
                .contains(Duration.ZERO);
        assertThat(retryAfter(Map.of("Retry-After", "120"))).contains(Duration.ofMinutes(2));
        assertThat(retryAfter(Map.of("Retry-After", "soon"))).isEmpty();
    }

    private Optional<Duration> retryAfter(Map<String, String> headers) {
        Map<String, List<String>> all = new HashMap<>();
        headers.forEach((name, value) -> all.put(name, List.of(value)));
        HttpHeaders given = HttpHeaders.of(all, (name, value) -> true);
        return new Answer(URI.create(first.url()), 503, given, MissingNode.getInstance()).retryAfter(timing.now());
    }

    @Test
    void aPauseThatIsLongerThanTheCallMayTakeEndsIt() {
        first.answers(503, BUSY, "Retry-After", "31");

        assertThatThrownBy(() -> put(client(first.url())))
                .isInstanceOfSatisfying(
                        TidemarkException.Unavailable.class,
                        e -> assertThat(e.problem().type()).isEqualTo("tidemark:writes-unavailable"))
                .hasMessage("answered 503: busy");
        assertThat(timing.pauses).isEmpty();
    }

    @Test
    void attemptsEndWhenTheirTimeIsOver() {
        for (int i = 0; i < 100; i++) {
            first.answers(503, BUSY, "Retry-After", "2");
        }

        assertThatThrownBy(() -> put(client(first.url()))).isInstanceOf(TidemarkException.Unavailable.class);

        assertThat(timing.nanos()).isBetween(20_000_000_000L, 30_000_000_000L);
        assertThat(first.requests).hasSize(timing.pauses.size() + 1);
    }

    @Test
    void theNextUrlIsTriedAtOnceAndKeptWhileItAnswers() throws IOException {
        first.answers(503, BUSY);
        second.answers(200, WRITTEN).answers(200, WRITTEN);
        Tidemark tidemark = client("http://127.0.0.1:" + unusedPort(), first.url(), second.url());

        put(tidemark);
        put(tidemark);

        assertThat(first.requests).hasSize(1);
        assertThat(second.requests).hasSize(2);
        assertThat(timing.pauses).isEmpty();
    }

    @Test
    void aReadThatBreaksOffIsSentToTheNextUrl() {
        first.breaksOff();
        second.answers(200, "{'indexes':[]}");

        assertThat(client(first.url(), second.url()).worker().get("/v1/indexes"))
                .hasSize(1);
    }

    @Test
    void aWriteThatBreaksOffIsNotSentAgain() {
        first.breaksOff();

        assertThatThrownBy(() -> put(client(first.url(), second.url())))
                .isInstanceOf(TidemarkException.OutcomeUnknown.class)
                .hasMessageContaining("may have been done");
        assertThat(second.requests).isEmpty();
    }

    @Test
    void aWriteWhoseAnswerDoesNotComeInTimeIsNotSentAgain() {
        first.handles(exchange -> sleep(Duration.ofMinutes(1)));
        Tidemark tidemark = Tidemark.connect(
                Tidemark.options()
                        .writer(first.url())
                        .writer(second.url())
                        .connectTimeout(Duration.ofMillis(200))
                        .requestTimeout(Duration.ofMillis(200))
                        .build(),
                timing);

        assertThatThrownBy(() -> put(tidemark))
                .isInstanceOf(TidemarkException.OutcomeUnknown.class)
                .hasMessageContaining("no whole answer within 0.2s");
        assertThat(second.requests).isEmpty();
    }

    @Test
    void aWriteIsNotSentAgainWhereTheServiceDoesNotKnowWhetherItWasDone() {
        first.answers(503, "{'type':'tidemark:outcome-unknown','status':503,'detail':'slow disk'}", "Retry-After", "1");
        first.answers(503, "{'detail':'of a proxy'}", "Content-Type", "application/json");
        first.answers(
                503, "{'type':'tidemark:definitions-unconfirmed','detail':'do not send again'}", "Retry-After", "1");
        first.answers(503, "{'type':'about:blank','status':503,'detail':'not followed yet'}", "Retry-After", "1");
        first.answers(503, "{'type':'tidemark:disk-failed','detail':'see its log'}", "Retry-After", "1");
        first.answers(500, "{'type':'about:blank','status':500,'detail':'bug'}");
        first.answers(200, "welcome");
        Tidemark tidemark = client(first.url());

        for (int i = 0; i < 7; i++) {
            assertThatThrownBy(() -> put(tidemark)).isInstanceOf(TidemarkException.OutcomeUnknown.class);
        }
        assertThat(timing.pauses).isEmpty();
    }

    @Test
    void aLoadThatAServiceHasTakenIsNotSentAgain() {
        first.answers(429, BUSY);
        Table<ObjectNode> table = client(first.url(), second.url()).session().table("t");

        assertThatThrownBy(() -> table.load(Stream.of(Change.delete(1))))
                .isInstanceOf(TidemarkException.Unavailable.class);
        assertThat(second.requests).isEmpty();
    }

    @Test
    @Timeout(30)
    void aLoadIsNotWaitedForWithoutEndWhenItsAnswerDoesNotCome() {
        first.handles(exchange -> sleep(Duration.ofMinutes(1)));

        assertThatThrownBy(() -> hasty(Duration.ofMillis(200)).load(Stream.of(Change.delete(1))))
                .isInstanceOf(TidemarkException.OutcomeUnknown.class)
                .hasMessageContaining("no progress and no answer within 0.2s");
        assertThat(first.requests).hasSize(1);
        assertThat(second.requests).isEmpty();
    }

    @Test
    @Timeout(30)
    void aLoadIsNotWaitedForWithoutEndWhenNothingOfItIsTaken() {
        first.handles((StubService.Reader) exchange -> sleep(Duration.ofMinutes(1)));

        assertThatThrownBy(() -> hasty(Duration.ofMillis(200)).load(Stream.generate(() -> Change.delete(1))))
                .isInstanceOf(TidemarkException.OutcomeUnknown.class)
                .hasMessageContaining("no progress and no answer within 0.2s");
        assertThat(second.requests).isEmpty();
    }

    @Tag("slow")
    @Test
    void aLoadTakesAsLongAsItsSourceDoes() {
        first.answers(200, "{'committed':3,'rejected':[],'rejectedTotal':0}");
        Stream<Change<ObjectNode>> slow = Stream.of(1, 2, 3).map(key -> {
            sleep(Duration.ofSeconds(2));
            return Change.delete(key);
        });

        assertThat(hasty(Duration.ofMillis(1_500)).load(slow).committed()).isEqualTo(3);
    }

    private Table<ObjectNode> hasty(Duration time) {
        Options options = Tidemark.options()
                .writer(first.url())
                .writer(second.url())
                .connectTimeout(time)
                .requestTimeout(time)
                .build();
        return Tidemark.connect(options).session().table("t");
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLoadOfWhichLinesAreCommittedIsNotRefused() {
        first.answers(503, "{'type':'tidemark:writes-unavailable','status':503,'detail':'busy','committed':500}")
                .answers(408, "{'type':'tidemark:too-slow','status':408,'detail':'slow','committed':500}")
                .answers(408, "{'type':'tidemark:too-slow','status':408,'detail':'slow'}");
        Table<ObjectNode> table = client(first.url()).session().table("t");

        assertThatThrownBy(() -> table.load(Stream.of(Change.delete(1))))
                .isInstanceOf(TidemarkException.OutcomeUnknown.class)
                .hasMessage("answered 503: busy");
        assertThatThrownBy(() -> table.load(Stream.of(Change.delete(1))))
                .isInstanceOf(TidemarkException.OutcomeUnknown.class);
        assertThatThrownBy(() -> table.load(Stream.of(Change.delete(1))))
                .isInstanceOf(TidemarkException.InvalidRequest.class);
    }

    @Test
    void aQueryThatWaitedForItsTokenIsNotSentAgain() {
        first.answers(
                503, "{'status':503,'detail':'not yet','completeUpTo':null,'stalenessMs':null,'state':'unknown'}");

        assertThatThrownBy(() -> client(first.url()).session().query("t.i").page())
                .isInstanceOfSatisfying(
                        TidemarkException.Unavailable.class,
                        e -> assertThat(e.freshness()).isPresent());
    }

    @Test
    void withoutTimeForMoreEachUrlGetsOneAttempt() {
        first.answers(503, BUSY);
        second.answers(503, BUSY);
        Tidemark tidemark = Tidemark.connect(
                Tidemark.options()
                        .writer(first.url())
                        .writer(second.url())
                        .retryFor(Duration.ZERO)
                        .build(),
                timing);

        assertThatThrownBy(() -> put(tidemark)).isInstanceOf(TidemarkException.Unavailable.class);
        assertThat(first.requests).hasSize(1);
        assertThat(second.requests).hasSize(1);
        assertThat(timing.pauses).isEmpty();
    }

    @Test
    void anInterruptedCallEndsAndLeavesTheMark() {
        first.answers(503, BUSY);
        Tidemark tidemark = client(first.url());
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> put(tidemark)).isInstanceOf(TidemarkException.Interrupted.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aServiceThatIsNotThereIsNamed() throws IOException {
        String url = "http://127.0.0.1:" + unusedPort();

        assertThatThrownBy(() -> put(client(url)))
                .isInstanceOf(TidemarkException.Unreachable.class)
                .hasMessageMatching(
                        Pattern.quote(url) + " cannot be reached: (nothing answers there|Connection refused)");
        assertThat(timing.pauses).hasSizeGreaterThan(3);
    }

    @Test
    void aTokenIsShownAndNeverPrinted() {
        first.answers(401, "{'status':401,'detail':'expected a token'}");
        Options options = Tidemark.options().writer(first.url()).token("canary").build();
        Tidemark tidemark = Tidemark.connect(options, timing);

        assertThatThrownBy(() -> put(tidemark))
                .isInstanceOf(TidemarkException.AccessDenied.class)
                .hasMessageNotContaining("canary");
        assertThat(first.headers.get(0).get("Authorization")).isEqualTo(List.of("Bearer canary"));
        assertThat(options + " " + tidemark + " " + tidemark.session()).doesNotContain("canary");
    }

    @Test
    void aTokenThatNoHeaderCanHoldIsNotPrinted() {
        Options.Builder options = Tidemark.options().writer(first.url());

        assertThatThrownBy(() -> options.token("can\nary"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("ary");
        assertThatThrownBy(
                        () -> put(Tidemark.connect(options.token(() -> "canäry").build(), timing)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("ry");
        first.answers(200, WRITTEN);
        put(Tidemark.connect(options.token("canary\n").build(), timing));
        assertThat(first.headers.get(0).get("Authorization")).isEqualTo(List.of("Bearer canary"));
    }

    @Test
    void anAnswerIsThrownRatherThanThatTheOtherUrlIsNotThere() throws IOException {
        for (int i = 0; i < 100; i++) {
            first.answers(503, BUSY);
        }
        String absent = "http://127.0.0.1:" + unusedPort();

        assertThatThrownBy(() -> put(client(first.url(), absent)))
                .isInstanceOf(TidemarkException.Unavailable.class)
                .satisfies(e -> assertThat(e.getSuppressed())
                        .singleElement()
                        .isInstanceOf(TidemarkException.Unreachable.class)
                        .satisfies(other -> assertThat(other).hasMessageContaining(absent)));
    }

    @Test
    void aRequestMayTakeAtLeastAsLongAsItsConnection() {
        assertThatThrownBy(Tidemark.options().requestTimeout(Duration.ofSeconds(1))::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("requestTimeout");
        assertThatThrownBy(Tidemark.options().connectTimeout(Duration.ZERO)::build)
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aReadThatGetsNoWholeAnswerWasNotWithoutAService() {
        for (int i = 0; i < 100; i++) {
            first.breaksOff();
        }

        assertThatThrownBy(() -> client(first.url()).worker().get("/v1/indexes"))
                .isInstanceOf(TidemarkException.Unreachable.class)
                .hasMessageContaining("no whole answer")
                .hasMessageNotContaining("cannot be reached")
                .hasMessageNotContaining("java.");
    }

    @Test
    void aClosedClientSendsNothing() {
        Tidemark tidemark = client(first.url());
        tidemark.close();

        assertThatThrownBy(() -> put(tidemark)).isInstanceOf(IllegalStateException.class);
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
