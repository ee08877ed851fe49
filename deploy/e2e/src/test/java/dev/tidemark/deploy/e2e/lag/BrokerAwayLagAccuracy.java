package dev.tidemark.deploy.e2e.lag;

import java.io.IOException;
import java.io.UncheckedIOException;

import org.junit.jupiter.api.AfterAll;

import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.running.AnotherWorker;
import dev.tidemark.deploy.e2e.running.TcpProxy;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The broker is away, for everybody or for the writer alone: it has a listener that the writer reaches through a proxy.
 */
abstract class BrokerAwayLagAccuracy extends LagAccuracyStack {
    private static final int CUT_SECONDS = 8;
    private static final int DOWN_SECONDS = 12;

    private final TcpProxy proxy;

    /** A listener of the broker's, and the proxy in front of it. */
    private record Way(int listener, TcpProxy proxy) {
        static Way open() {
            try {
                int listener = AnotherWorker.freePort();
                return new Way(listener, TcpProxy.to(listener));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        StackSettings applyTo(StackSettings settings) {
            String usual = "CLIENTS://127.0.0.1:" + settings.ports().broker();
            String controller = "CONTROLLER://127.0.0.1:" + settings.ports().controller();
            return settings.with(Role.BROKER, "listeners", usual + "," + controller + ",RELAY://127.0.0.1:" + listener)
                    .with(Role.BROKER, "advertised.listeners", usual + ",RELAY://127.0.0.1:" + proxy.port())
                    .with(
                            Role.BROKER,
                            "listener.security.protocol.map",
                            "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT,RELAY:PLAINTEXT")
                    .with(Role.WRITER, "kafka.bootstrap.servers", "127.0.0.1:" + proxy.port());
        }
    }

    BrokerAwayLagAccuracy() {
        this(Way.open());
    }

    private BrokerAwayLagAccuracy(Way way) {
        super("broker-away", way::applyTo);
        this.proxy = way.proxy();
    }

    /** The worker talks to the broker as ever, and hears nothing: it must not take that for good news. */
    @Situation
    void relayCannotReachTheBroker() throws Exception {
        try (LagNeverUnderReported watch = watch("relay cannot reach the broker")) {
            proxy.become(TcpProxy.Network.SILENT);
            seconds(CUT_SECONDS);
            proxy.become(TcpProxy.Network.CUT);
            seconds(CUT_SECONDS);
            proxy.become(TcpProxy.Network.GOOD);
            awaitFresh();
            watch.awaitJudged(ENOUGH, Source.values());
            assertThat(watch.check(ENOUGH).worstTruth()).isGreaterThan(CUT_SECONDS);
        }
    }

    @Situation
    void down() throws Exception {
        try (LagNeverUnderReported watch = watch("broker down for 12 s")) {
            stack().kill(Role.BROKER);
            seconds(DOWN_SECONDS);
            stack().startAgain(Role.BROKER);
            awaitFresh();
            watch.awaitJudged(ENOUGH, Source.values());
            assertThat(watch.check(ENOUGH).worstTruth()).isGreaterThan(DOWN_SECONDS / 2.0);
        }
    }

    @AfterAll
    void closeProxy() throws IOException {
        proxy.close();
    }
}
