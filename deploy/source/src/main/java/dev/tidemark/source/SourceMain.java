package dev.tidemark.source;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.apache.kafka.common.config.ConfigDef;
import picocli.CommandLine;

import dev.tidemark.client.Options;
import dev.tidemark.client.Tidemark;
import dev.tidemark.client.TidemarkException;
import dev.tidemark.deploy.cli.CommandContext;
import dev.tidemark.deploy.cli.CommandProvider;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.metrics.ServiceMeters;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.FatalErrorAgent;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.source.check.CheckReport;
import dev.tidemark.source.check.DatabaseRules;
import dev.tidemark.source.check.Lack;
import dev.tidemark.source.check.MariaDbFacts;
import dev.tidemark.source.check.MariaDbRules;
import dev.tidemark.source.cli.ProgressLines;
import dev.tidemark.source.cli.SourceCommand;
import dev.tidemark.source.cli.SourceSettings;
import dev.tidemark.source.debezium.DebeziumEngineRun;
import dev.tidemark.source.debezium.Dialect;
import dev.tidemark.source.debezium.EngineSettings;
import dev.tidemark.source.debezium.MariaDbDialect;
import dev.tidemark.source.feed.BinaryLog;
import dev.tidemark.source.feed.ColumnHistory;
import dev.tidemark.source.feed.Database;
import dev.tidemark.source.feed.Engine;
import dev.tidemark.source.feed.Follower;
import dev.tidemark.source.feed.MarkerAgent;
import dev.tidemark.source.feed.Progress;
import dev.tidemark.source.feed.SourceStatus;
import dev.tidemark.source.feed.Writer;
import dev.tidemark.source.http.HttpWriter;
import dev.tidemark.source.http.StatusServer;
import dev.tidemark.source.kafka.KafkaTopics;
import dev.tidemark.source.mariadb.MariaDbDatabase;
import dev.tidemark.source.metrics.SourceMeters;
import dev.tidemark.source.postgres.PostgresDatabase;
import dev.tidemark.source.topic.Envelope;
import dev.tidemark.source.topic.TopicFollower;
import dev.tidemark.source.topic.TopicMarker;
import dev.tidemark.source.topic.TopicRules;
import dev.tidemark.source.topic.Topics;
import dev.tidemark.tls.TlsFiles;

/** Entry point of {@code tidemark source}, found by the command line. */
public final class SourceMain implements CommandProvider {
    private static final Duration REST = Duration.ofSeconds(2);
    private static final Duration WATCH_REST = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    @Override
    public List<CommandLine> commands(CommandContext context) {
        Terminal terminal = context.terminal();
        return List.of(new CommandLine(new SourceCommand(
                (settings, json) -> follow(settings, terminal, json),
                (settings, json) -> look(settings, terminal, json),
                definition(),
                terminal,
                System.getenv())));
    }

    /** All settings. */
    static ConfigDef definition() {
        return StatusServer.define(SourceSettings.definition());
    }

    /** Starts to follow; ends when what it returned is closed. */
    static AutoCloseable follow(SourceSettings settings, Terminal terminal, boolean json)
            throws BadSettingsException, ServiceException {
        CloseableStack parts = new CloseableStack();
        boolean started = false;
        try {
            start(settings, new ProgressLines(terminal, json, new SteadyClock()), parts);
            started = true;
            return parts;
        } finally {
            if (!started) {
                parts.close();
            }
        }
    }

    private static void start(SourceSettings settings, ProgressLines lines, CloseableStack parts)
            throws BadSettingsException, ServiceException {
        Clock clock = new SteadyClock();
        SourceStatus progress = new SourceStatus(lines, clock);
        ServiceClient shown = shown(settings);
        Tidemark client = parts.add(client(settings, shown));
        lines.ready(watched(settings, progress, parts, shown, clock));
        Writer writer = new HttpWriter(client, settings.name(), progress);
        Supplier<Optional<Follower.Ending>> ending = settings.topics().isEmpty()
                ? tables(settings, writer, progress, clock, parts)
                : topics(settings, writer, progress, clock, parts);
        giveUp(ending, progress, clock, parts);
    }

    /** Ends the process once it cannot follow any more, or a thread that it needs has stopped by itself. */
    static void giveUp(
            Supplier<Optional<Follower.Ending>> ending, Progress progress, Clock clock, CloseableStack parts) {
        FatalErrorAgent unable = new FatalErrorAgent(
                () -> ending.get().map(Follower.Ending::why), Duration.ZERO, clock, why -> end(ending.get(), progress));
        FatalErrorAgent stopped =
                FatalErrorAgent.of(() -> parts.failures().stream().findFirst(), ServiceProcess.GAVE_UP, clock);
        parts.add(AgentRunner.start(unable, WATCH_REST), PATIENCE);
        parts.add(AgentRunner.start(stopped, WATCH_REST), PATIENCE);
    }

    /** Follows a database; returns why to end. */
    private static Supplier<Optional<Follower.Ending>> tables(
            SourceSettings settings, Writer writer, Progress progress, Clock clock, CloseableStack parts)
            throws BadSettingsException {
        Database database = database(settings, parts);
        Engine engine = new DebeziumEngineRun(dialect(settings, database));
        ColumnHistory columns = new ColumnHistory();
        Follower follower = new Follower(writer, database, engine, columns, progress, settings.snapshotOnGap());
        MarkerAgent marker = new MarkerAgent(writer, database, follower, columns, progress, clock);
        parts.add(AgentRunner.start(follower, REST), PATIENCE);
        parts.add(engine::stop);
        parts.add(AgentRunner.start(marker, settings.markerInterval()), PATIENCE);
        return follower::ending;
    }

    private static void requireConnector(SourceSettings settings) throws BadSettingsException {
        if (settings.isMariaDb() && !DebeziumEngineRun.hasMariaDb()) {
            throw new BadSettingsException("Debezium's connector for MariaDB is not there; its jars belong into"
                    + " lib/source/connectors of a release, or a directory that TIDEMARK_SOURCE_CONNECTORS names");
        }
    }

    private static Database database(SourceSettings settings, CloseableStack parts) throws BadSettingsException {
        requireConnector(settings);
        return settings.isMariaDb() ? parts.add(mariaDb(settings)) : parts.add(postgres(settings));
    }

    private static MariaDbDatabase mariaDb(SourceSettings settings) {
        return new MariaDbDatabase(settings.database(), settings.name(), settings.markerTable());
    }

    private static PostgresDatabase postgres(SourceSettings settings) {
        return new PostgresDatabase(
                settings.database(),
                settings.slot(),
                settings.publication(),
                EngineSettings.markerPrefix(settings.name()));
    }

    private static Dialect dialect(SourceSettings settings, Database database) {
        return database instanceof BinaryLog log
                ? new MariaDbDialect(settings.name(), settings.markerTable(), settings.connector(), log)
                : new EngineSettings(settings.name(), settings.slot(), settings.publication(), settings.connector());
    }

    /** Reads topics, and marks the database where it is known; returns why to end. */
    private static Supplier<Optional<Follower.Ending>> topics(
            SourceSettings settings, Writer writer, Progress progress, Clock clock, CloseableStack parts)
            throws BadSettingsException {
        Envelope envelope =
                new Envelope(settings.name(), EngineSettings.markerPrefix(settings.name()), settings.markerTable());
        Topics topics = parts.add(new KafkaTopics(settings.kafka(), settings.topics()));
        TopicFollower follower = new TopicFollower(writer, topics, envelope, settings.exactlyOnce(), progress, clock);
        if (!settings.exactlyOnce()) {
            progress.warn(TopicRules.NO_PROOF);
        }
        parts.add(AgentRunner.start(follower, REST), PATIENCE);
        if (!settings.database().isEmpty()) {
            Database database = database(settings, parts);
            parts.add(
                    AgentRunner.start(new TopicMarker(writer, database, progress), settings.markerInterval()),
                    PATIENCE);
        }
        return follower::ending;
    }

    /** Opens the port of metrics and health, and returns its URL. Its guard reads what the writer is shown again. */
    private static String watched(
            SourceSettings settings, SourceStatus status, CloseableStack parts, ServiceClient shown, Clock clock)
            throws BadSettingsException, ServiceException {
        ServiceMeters meters = parts.add(new ServiceMeters());
        SourceMeters.show(meters, status, settings.name());
        try {
            HttpServer server = parts.add(StatusServer.start(settings.values(), status, parts, meters::scrape, clock));
            parts.add(AgentRunner.start(server.guard(List.of(shown), clock), WATCH_REST), PATIENCE);
            return server.url();
        } catch (PortInUseException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
    }

    /** Prints what the database, or the topics, lack, and returns how much of that is serious. */
    static int look(SourceSettings settings, Terminal terminal, boolean json)
            throws ServiceException, BadSettingsException, InterruptedException {
        Progress progress = new ProgressLines(terminal, json, new SteadyClock());
        try (Tidemark client = client(settings, shown(settings))) {
            List<Writer.Followed> tables =
                    new HttpWriter(client, settings.name(), progress).stateNow().tables();
            List<String> names = tables.stream().map(Writer.Followed::source).toList();
            List<Lack> lacks =
                    settings.topics().isEmpty() ? databaseLacks(settings, names, tables) : topicLacks(settings, names);
            CheckReport report = new CheckReport(settings.name(), names, lacks);
            terminal.lines(json ? List.of(report.json()) : report.text());
            return report.serious();
        } catch (TidemarkException | Database.DatabaseException | Topics.TopicsException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
    }

    private static List<Lack> databaseLacks(SourceSettings settings, List<String> names, List<Writer.Followed> tables)
            throws Database.DatabaseException, BadSettingsException {
        requireConnector(settings);
        if (settings.isMariaDb()) {
            try (MariaDbDatabase database = mariaDb(settings)) {
                MariaDbFacts facts = database.look(names);
                return MariaDbRules.lacks(facts, tables, database.columnOddities(facts.readable()));
            }
        }
        try (PostgresDatabase database = postgres(settings)) {
            return new DatabaseRules(settings.slot(), settings.publication()).lacks(database.look(names), tables);
        }
    }

    private static List<Lack> topicLacks(SourceSettings settings, List<String> names)
            throws BadSettingsException, Topics.TopicsException, InterruptedException {
        try (Topics topics = new KafkaTopics(settings.kafka(), settings.topics())) {
            return TopicRules.lacks(topics.look(), settings.exactlyOnce(), names);
        }
    }

    private static void end(Optional<Follower.Ending> ending, Progress progress) {
        ending.ifPresent(why -> {
            progress.warn(why.why());
            if (why.code() == ServiceProcess.BAD_INPUT) {
                ServiceProcess.refuse(why.why());
            }
            ServiceProcess.giveUp(why.code(), why.why());
        });
    }

    /** What the writer is shown, and who is trusted to be it. */
    private static ServiceClient shown(SourceSettings settings) throws BadSettingsException {
        TlsFiles tls = new TlsFiles(Optional.empty(), Optional.empty(), Optional.empty(), settings.ca());
        return ServiceClient.open(List.of(settings.writer()), tls, settings.token());
    }

    private static Tidemark client(SourceSettings settings, ServiceClient shown) {
        Options.Builder options = Tidemark.options()
                .writer(settings.writer().toString())
                .requestTimeout(Duration.ofMinutes(1))
                .retryFor(Duration.ofSeconds(10))
                .mapper(RowJson.mapper());
        if (settings.token().isPresent()) {
            options.token(() -> shown.credentials().token().orElseThrow());
        }
        shown.credentials().tls().ifPresent(options::sslContext);
        return Tidemark.connect(options.build());
    }
}
