package dev.tidemark.writer;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.http.AdvertisedUrl;
import dev.tidemark.http.Forwarder;
import dev.tidemark.http.Health;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.writer.catalog.StoredDefinitions;
import dev.tidemark.writer.commit.CatalogRules;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.http.WriterRoutes;
import dev.tidemark.writer.kafka.KafkaClientSettings;
import dev.tidemark.writer.kafka.WarmUp;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.leader.TermAgent;

/**
 * A writer that shares its fact tables with others: it passes requests on to the active one until it is its turn. It
 * never goes back; a process that has lost its turn ends, and is started again.
 */
final class WriterInTurn {
    private static final Logger LOGGER = LoggerFactory.getLogger(WriterInTurn.class);
    private static final Duration TERM_REST = Duration.ofMillis(20);
    private static final Duration TAKEOVER_REST = Duration.ofMillis(500);
    private static final Duration DEFINITIONS_REST = Duration.ofMillis(100);
    private static final Duration WARM_UP_REST = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Requests go where the holder of the right serves. */
    private static final URI UNUSED = URI.create("http://127.0.0.1");

    private final WriterBase base;
    private final CommitTerms terms;
    private final CloseableStack service;
    private final CloseableStack active;
    private volatile @Nullable TermAgent term;
    private volatile @Nullable ActiveWriter writer;
    private volatile boolean closing;

    /** While the parts are closed to be opened again; the writer keeps the right to commit meanwhile. */
    private volatile boolean beginningAgain;

    /**
     * A writer that has not looked yet whether it is its turn.
     *
     * @param service receives what is opened
     */
    WriterInTurn(WriterBase base, CommitTerms terms, CloseableStack service) {
        this.base = base;
        this.terms = terms;
        this.service = service;
        this.active = new CloseableStack(service);
    }

    /** Serves, and takes its turn when it comes. */
    HttpServer start() throws Exception {
        WriterConfig config = base.config();
        ServiceClient others =
                ServiceClient.open(List.of(UNUSED), config.security().client(), Optional.empty());
        Forwarder forwarder = service.add(new Forwarder(others, this::other, ProblemType.WRITES_UNAVAILABLE));
        WakeupSignal read = new WakeupSignal();
        StoredDefinitions stored = new StoredDefinitions(base.database().definitions(), base.file(), base.wall(), read);
        // Once before anything can ask for them.
        int unused = stored.agent().doWork();
        AgentRunner definitionsThread =
                service.add(AgentRunner.start(stored.agent(), DEFINITIONS_REST, read), PATIENCE);
        CatalogRules rules = new CatalogRules(stored::catalog, stored::definitions, config.maxRowBytes());
        base.showActive(this::isActive);
        HttpServer server = base.listen(
                service,
                this::readiness,
                base.meters()::scrape,
                WriterRoutes.ofStandby(rules, base.database().facts(), config.pageRows(), forwarder),
                List.of(others));
        WakeupSignal taken = new WakeupSignal();
        TermAgent agent = new TermAgent(terms, url(server), base.directory().place(), taken::ring, base.wall());
        term = agent;
        // Closed in the opposite order: what commits, then what holds the right to, then what answers.
        AgentRunner termThread = service.add(AgentRunner.start(agent, TERM_REST), PATIENCE);
        service.add(active);
        WarmUp warmUp = new WarmUp(new KafkaClientSettings(config.kafka()), base.wall());
        service.add(AgentRunner.start(warmUp, WARM_UP_REST), PATIENCE);
        Agent takeover = Agent.resting("takeover", () -> takeOver(agent, server, forwarder));
        AgentRunner takeoverThread = service.add(AgentRunner.start(takeover, TAKEOVER_REST, taken), PATIENCE);
        service.add(() -> closing = true);
        base.giveWay(service, agent::lost);
        base.giveUpWithout(service, List.of(termThread, takeoverThread, definitionsThread));
        return server;
    }

    private String url(HttpServer server) {
        URI url = base.config().advertisedUrl().orElseGet(() -> URI.create(server.url()));
        if (AdvertisedUrl.isWildcard(url)) {
            LOGGER.warn("Other writers cannot reach this one at {}: set {}", url, AdvertisedUrl.KEY);
        }
        return url.toString();
    }

    private void takeOver(TermAgent agent, HttpServer server, Forwarder forwarder) {
        if (writer != null || !agent.isHeld()) {
            return;
        }
        try {
            ActiveWriter next = new ActiveWriter(base, active, agent::lost);
            ActiveWriter.Answers answers = next.start(() -> handOver(agent));
            writer = next;
            server.serve(answers.health(), answers.metrics(), WriterBase.OPEN_API, answers.routes());
            // What is under way to a writer that was silent has no answer to wait for.
            forwarder.close();
        } catch (FactsUnavailableException e) {
            LOGGER.warn(
                    "The database went away while this writer became the active one; trying again: {}", e.getMessage());
            beginningAgain = true;
            active.close();
            beginningAgain = false;
        } catch (Exception | Error e) {
            if (closing) {
                LOGGER.info("This writer was stopped while it became the active one", e);
                return;
            }
            LOGGER.error("This writer has the right to commit, and cannot use it", e);
            if (e instanceof BadInputException || e instanceof FactsUnreadableException) {
                // Another writer may be able to use it, and a restart does not help this one.
                agent.giveUp();
                ServiceProcess.refuse(String.valueOf(e.getMessage()));
            }
            ServiceProcess.giveUp(ServiceProcess.GAVE_UP, "the writer cannot become the active one: " + e);
        }
    }

    private void handOver(TermAgent agent) {
        if (!beginningAgain) {
            agent.giveUp();
        }
    }

    private boolean isActive() {
        ActiveWriter now = writer;
        return now != null && now.isActive();
    }

    private Optional<URI> other() {
        TermAgent known = term;
        return known == null ? Optional.empty() : known.active();
    }

    private List<Health.Check> readiness() {
        TermAgent known = term;
        return known == null
                ? List.of(Health.Check.unwell("standby", "this writer has just started"))
                : new StandbyHealth(known, base.database()::failure, service::failures).readiness();
    }
}
