package dev.tidemark.deploy.doctor.postgres;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

import dev.tidemark.deploy.doctor.PostgresFacts;
import dev.tidemark.deploy.doctor.PostgresLook;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SecretFile;

/** Asks by JDBC, in one connection that reads only. */
public final class PostgresExaminer implements PostgresLook {
    private static final String PATIENCE_SECONDS = "5";

    private static final String SETTINGS =
            "select name, setting from pg_settings where name in ('server_version_num', 'server_encoding', 'fsync',"
                    + " 'full_page_writes', 'synchronous_commit', 'synchronous_standby_names')";

    private static final String SERVER =
            "select pg_is_in_recovery() as standby, (select count(*) from pg_stat_replication) as followers";

    /** Connections of others count too; a limit below 0 is none, and the last ones are kept for superusers. */
    private static final String ROLE = """
        select r.rolname as role, d.datname as database,
          (select count(*) from pg_namespace where nspname = 'tidemark') > 0 as schema,
          coalesce(
            (select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'tidemark'),
            has_database_privilege(d.oid, 'create')) as creates,
          least(
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              - (select count(*) from pg_stat_activity where datid is not null),
            case when r.rolconnlimit < 0 then 1000000
              else r.rolconnlimit - (select count(*) from pg_stat_activity where usename = r.rolname) end,
            case when d.datconnlimit < 0 then 1000000
              else d.datconnlimit - (select count(*) from pg_stat_activity where datname = d.datname) end) as connections
        from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()""";

    @Override
    public PostgresFacts look(Question question) {
        Properties properties = new Properties();
        for (String limit : new String[] {"loginTimeout", "connectTimeout", "socketTimeout"}) {
            properties.setProperty(limit, PATIENCE_SECONDS);
        }
        properties.setProperty("ApplicationName", "tidemark doctor");
        properties.setProperty("readOnly", "true");
        if (!question.user().isEmpty()) {
            properties.setProperty("user", question.user());
        }
        try {
            if (question.password().isPresent()) {
                byte[] password = SecretFile.read(question.password().get());
                properties.setProperty("password", new String(password, StandardCharsets.UTF_8).strip());
            }
            try (Connection connection = DriverManager.getConnection(question.url(), properties);
                    Statement statement = connection.createStatement()) {
                return server(statement);
            }
        } catch (SQLException | BadSettingsException e) {
            return new PostgresFacts.Unreached(String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
        }
    }

    private static PostgresFacts server(Statement statement) throws SQLException {
        Map<String, String> settings = new HashMap<>();
        try (ResultSet rows = statement.executeQuery(SETTINGS)) {
            while (rows.next()) {
                settings.put(rows.getString("name"), rows.getString("setting"));
            }
        }
        PostgresFacts.Role role;
        try (ResultSet rows = statement.executeQuery(ROLE)) {
            rows.next();
            role = new PostgresFacts.Role(
                    rows.getString("role"),
                    rows.getString("database"),
                    rows.getBoolean("schema"),
                    rows.getBoolean("creates"),
                    rows.getInt("connections"));
        }
        try (ResultSet rows = statement.executeQuery(SERVER)) {
            rows.next();
            int version = Integer.parseInt(settings.getOrDefault("server_version_num", "0"));
            return new PostgresFacts.Server(
                    version, settings, rows.getBoolean("standby"), rows.getInt("followers"), role);
        }
    }
}
