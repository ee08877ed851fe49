package dev.tidemark.writer;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import picocli.CommandLine;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.Security;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.BudgetMeters;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.rocks.StoreException;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.CatalogFile;
import dev.tidemark.settings.ServiceCommand;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsDamagedException;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.database.FactDatabase;
import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.postgres.PostgresFactDatabase;
import dev.tidemark.writer.rocks.RocksFactDatabase;

/**
 * Runs a writer: at once where its fact tables are its own, else in turn with other writers. Nothing is decided here.
 */
public final class WriterMain {
    private static final double ROW_CACHE_SHARE = 0.4;
    private static final double QUEUE_SHARE = 0.5;
    private static final double PUBLISHING_SHARE = 0.25;
    private static final double PUBLISHING_FLOOR = 0.05;
    private static final Duration DATABASE_REST = Duration.ofMillis(200);
    private static final Duration AGENT_PATIENCE = Duration.ofMillis(500);

    private final WriterConfig config;
    private final Clock wall = SteadyClock.ofProcess();
    private final MemoryBudget memory;
    private final FactsDamage damage = new FactsDamage();
    private final CloseableStack service = new CloseableStack();

    private WriterMain(WriterConfig config) {
        this.config = config;
        this.memory = new MemoryBudget(config.memoryBytes());
    }

    /** Runs the writer until it receives a stop request. */
    public static void main(String[] arguments) {
        System.exit(command().execute(arguments));
    }

    /** The same as a command, to be run here or below another one. */
    public static CommandLine command() {
        return ServiceCommand.of(
                "writer",
                "Commits rows to the fact tables and relays each change to Kafka.",
                WriterConfig::definition,
                settings -> start(WriterConfig.from(settings), System.out));
    }

    /**
     * Starts a writer.
     *
     * @param out receives the URL of the service once it serves
     * @return closes the service
     * @throws FactsDamagedException when its data is damaged
     */
    static AutoCloseable start(WriterConfig config, PrintStream out) throws Exception {
        WriterMain main = new WriterMain(config);
        boolean started = false;
        try {
            out.println("writer ready on " + main.start().url());
            started = true;
            return main.service;
        } catch (StoreException | FactsUnreadableException e) {
            // No other start helps against damage.
            throw main.damage
                    .refusal()
                    .<Exception>map(why -> new FactsDamagedException(why, e))
                    .orElse(e);
        } finally {
            if (!started) {
                main.service.close();
            }
        }
    }

    private HttpServer start() throws Exception {
        // First, because a process that may not listen must not touch the data.
        Security security = Security.open(config.http().host(), config.security(), List::of, wall);
        Catalog file = CatalogFile.read(config.catalogFile());
        DataDirectory directory = service.add(DataDirectory.take(config.dataDirectory()));
        FactDatabase database = service.add(database(directory, file));
        ServiceMeters meters = service.add(new ServiceMeters());
        meters.show(database.gauges());
        database.agents().forEach(agent -> service.add(AgentRunner.start(agent, DATABASE_REST), AGENT_PATIENCE));
        WriterBase base = new WriterBase(
                config,
                security,
                file,
                directory,
                database,
                damage,
                meters,
                memory,
                memory.part("queue", QUEUE_SHARE),
                memory.part("publishing", PUBLISHING_SHARE, PUBLISHING_FLOOR),
                wall);
        Optional<CommitTerms> terms = database.terms();
        HttpServer server = terms.isPresent() ? new WriterInTurn(base, terms.get(), service).start() : alone(base);
        base.giveUp(service, database::failure, ServiceProcess.GAVE_UP);
        BudgetMeters.show(meters.registry(), memory);
        return server;
    }

    /** Runs a writer that shares its fact tables with no other one. */
    private HttpServer alone(WriterBase base) throws Exception {
        ActiveWriter writer = new ActiveWriter(base, service, Optional::empty);
        base.showActive(writer::isActive);
        ActiveWriter.Answers answers = writer.start(() -> {});
        return base.listen(service, answers.health(), answers.metrics(), answers.routes(), List.of());
    }

    /** Opens the fact tables where the settings say that they are. */
    private FactDatabase database(DataDirectory directory, Catalog file) throws Exception {
        long rowCache = memory.setAside("row_cache", ROW_CACHE_SHARE, config.rowCacheBytes());
        if (config.facts().isPostgres()) {
            return PostgresFactDatabase.open(config.facts(), file, rowCache, damage, wall);
        }
        return RocksFactDatabase.open(
                directory.path(),
                file,
                new RocksFactDatabase.Memory(config.rocksCacheBytes(), config.rocksMemtableBytes(), rowCache),
                damage);
    }
}
