package dev.tidemark.deploy.chaos;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import dev.tidemark.deploy.cli.CannedServices;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.CommandProvider;
import dev.tidemark.deploy.cli.Tidemark;
import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.probe.FakeServices;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.row.RowJson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

@Tag("slow")
final class ProbeCommandTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final URI WRITER = URI.create("http://127.0.0.1:8081");

    private final FakeServices services = new FakeServices();
    private final Terminals.Recorded screen = Terminals.Recorded.pipe();
    private final List<URI> asked = new ArrayList<>();
    private final AtomicInteger shownOn = new AtomicInteger();
    private final List<Supplier<ProbeReport>> shown = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final List<Runnable> interrupts = new CopyOnWriteArrayList<>();

    @Test
    void saysThatHonestServicesAreHonest() {
        assertThat(run("--duration", "1s")).isZero();
        assertThat(screen.out())
                .contains("canary.by_id", "worker freshness", "visible ", "honest: nothing was too small");
    }

    @Test
    void exitsWithOneAndShowsWhichNumberWasTooSmall() {
        services.lying.set(true);
        services.stick(true);

        assertThat(run("--duration", "1s")).isEqualTo(1);
        assertThat(screen.out())
                .contains("answer stalenessMs said 0 ms, true was at least", "were too small by more than is allowed");
    }

    @Test
    void printsJson() throws Exception {
        assertThat(run("--duration", "1s", "--json")).isZero();
        JsonNode report = RowJson.parse(screen.out().getBytes(UTF_8));
        assertThat(report.path("honest").asBoolean()).isTrue();
        assertThat(report.path("underReported").asInt(-1)).isZero();
        assertThat(report.path("sources")).hasSize(6);
        assertThat(report.path("visibilitySeconds").path("p99").isNumber()).isTrue();
    }

    @Test
    void showsWhatEachSourceIsAllowed() {
        assertThat(run("--duration", "1s")).isZero();
        assertThat(screen.out().lines().filter(line -> line.startsWith("worker lag per partition")))
                .singleElement(STRING)
                .contains(" 300 ms ");
    }

    @Test
    void watchesUntilItIsInterruptedWhileItIsScraped() throws Exception {
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(() -> run("--metrics-port", "9109"));
        await().atMost(PATIENCE)
                .until(() -> shown.stream().anyMatch(reports -> reports.get().judged() > 50));
        interrupts.forEach(Runnable::run);

        assertThat(exit.get(30, TimeUnit.SECONDS)).isZero();
        assertThat(screen.out()).contains("honest: nothing was too small");
        assertThat(shownOn.get()).isEqualTo(9109);
        assertThat(closed.get()).isTrue();
    }

    @Test
    void asksEveryWorker() {
        assertThat(run("--duration", "1s", "--worker", "http://a:1,http://b:2", "--worker", "http://c:3"))
                .isZero();
        assertThat(asked)
                .containsExactly(WRITER, URI.create("http://a:1"), URI.create("http://b:2"), URI.create("http://c:3"));
    }

    @Test
    void saysWhatToAddWhenThereIsNoCanaryTable() {
        assertThat(run("--table", "customers")).isEqualTo(1);
        assertThat(screen.err()).contains("there is no table customers", "primaryKey: id");
    }

    @Test
    void explainsItselfWithAnExample() {
        assertThat(run("--help")).isZero();
        assertThat(screen.out()).contains("Usage: tidemark probe", "Example", "tidemark probe");
        assertThat(screen.out().replaceAll("\\s+", " "))
                .contains("the writer is (default: http://127.0.0.1:8081).")
                .contains("Table to write into (default: canary).", "two samples (default: 100ms).");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--duration soon", "--interval 1ms"})
    void answersWrongUsageWithTwoAndAHint(String line) {
        assertThat(run(line.split(" ", -1))).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(screen.err()).contains("--help");
        assertThat(asked).isEmpty();
    }

    private int run(String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = "probe";
        System.arraycopy(options, 0, arguments, 1, options.length);
        CommandProvider provider = context ->
                List.of(new CommandLine(new ProbeCommand(new FakeTools(), context.terminal(), context.atExit())));
        CommandContext context =
                new CommandContext(new CannedServices(), url -> false, screen.terminal(), interrupts::add);
        return Tidemark.commandLine(context, List.of(), List.of(provider)).execute(arguments);
    }

    private final class FakeTools implements ProbeCommand.ProbeTools {
        @Override
        public ServiceCallers callers(ClientIdentity identity) {
            return this::at;
        }

        private ServiceCaller at(URI url, Duration patience) {
            asked.add(url);
            ProbeTarget target = services.target();
            return url.equals(WRITER) ? target.writer() : target.workers().get(0);
        }

        @Override
        public Runnable show(int port, Supplier<ProbeReport> reports) {
            shownOn.set(port);
            shown.add(reports);
            return () -> closed.set(true);
        }
    }
}
