package dev.tidemark.writer;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.http.HttpServer;
import dev.tidemark.http.Security;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.DataDirectory;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.SettingsReader;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.postgres.InMemoryPostgres;
import dev.tidemark.writer.testkit.TestTables;

/** A writer that takes turns with others of one database, with no broker to be found. */
final class WriterOfPostgres {
    private WriterOfPostgres() {}

    /**
     * Starts a writer.
     *
     * @param directory of its data
     * @param service receives what it opens
     */
    static HttpServer start(Path directory, InMemoryPostgres server, CloseableStack service) throws Exception {
        return start(directory, server, service, new SteadyClock());
    }

    /** The same with the clock of its process. */
    static HttpServer start(Path directory, InMemoryPostgres server, CloseableStack service, Clock wall)
            throws Exception {
        WriterConfig config = WriterConfig.from(new SettingsReader("writer", WriterConfig.definition())
                .read(
                        Optional.empty(),
                        Map.of(),
                        List.of(
                                "data.dir=" + directory,
                                "catalog.file=unused",
                                "http.port=0",
                                "kafka.bootstrap.servers=127.0.0.1:1")));
        MemoryBudget memory = new MemoryBudget(256 << 20);
        WriterBase base = new WriterBase(
                config,
                Security.none(),
                TestTables.CATALOG,
                service.add(DataDirectory.take(config.dataDirectory())),
                server.open(),
                new FactsDamage(),
                service.add(new ServiceMeters()),
                memory,
                memory.part("queue", 0.5),
                memory.part("publishing", 0.25, 0.05),
                wall);
        return new WriterInTurn(base, base.database().terms().orElseThrow(), service).start();
    }
}
