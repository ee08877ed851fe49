package dev.tidemark.deploy.e2e.lag;

import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TcpProxy;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.stack.Role;

import static org.assertj.core.api.Assertions.assertThat;

/** The broker is away, for everybody or for the writer alone. */
abstract class BrokerAwayLagAccuracy extends LagAccuracyStack {
    private static final int CUT_SECONDS = lasting(6);
    private static final int DOWN_SECONDS = lasting(8);

    private final BrokerProxy proxy;

    BrokerAwayLagAccuracy(StackUnderTest stack, BrokerProxy proxy) {
        super(stack);
        this.proxy = proxy;
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
        try (LagNeverUnderReported watch = watch("broker down")) {
            stack().kill(Role.BROKER);
            seconds(DOWN_SECONDS);
            stack().startAgain(Role.BROKER);
            awaitFresh();
            watch.awaitJudged(ENOUGH, Source.values());
            assertThat(watch.check(ENOUGH).worstTruth()).isGreaterThan(DOWN_SECONDS / 2.0);
        }
    }
}
