package dev.tidemark.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * Reads the settings of one service. A key comes from the last of these that has it: the file (Java properties), the
 * environment (prefix {@code TIDEMARK_}, the service's name, the key in capitals with {@code _} for {@code .}), the
 * command line ({@code --set key=value}). A key without a definition is an error, except below a prefix whose keys
 * are passed on to a library. Other variables of the environment are ignored, because orchestrators define some
 * with the same prefix ({@code TIDEMARK_WRITER_SERVICE_HOST}).
 *
 * @param passed the prefixes below which keys are passed on, each with its dot
 */
public record SettingsReader(String service, ConfigDef definition, List<String> passed) {
    /** Keys below this prefix are passed on to the Kafka clients. */
    public static final String KAFKA_PREFIX = "kafka.";

    public SettingsReader {
        passed = List.copyOf(passed);
    }

    /** The settings of a service that passes some on to the Kafka clients. */
    public SettingsReader(String service, ConfigDef definition) {
        this(service, definition, List.of(KAFKA_PREFIX));
    }

    /**
     * A value that was given.
     *
     * @param from where
     */
    record Given(String value, String from) {}

    /**
     * Reads and validates.
     *
     * @param assignments {@code key=value} texts of the command line
     * @throws BadSettingsException when the file cannot be read, a key is unknown or lacks its value, or a value is not
     *     what its key takes
     */
    public AbstractConfig read(Optional<Path> file, Map<String, String> environment, List<String> assignments)
            throws BadSettingsException {
        Map<String, String> values = new HashMap<>();
        given(file, environment, assignments).forEach((key, given) -> values.put(key, given.value()));
        for (ConfigDef.ConfigKey key : definition.configKeys().values()) {
            if (!key.hasDefault() && !values.containsKey(key.name)) {
                throw new BadSettingsException("expected the setting " + key.name);
            }
        }
        try {
            return new AbstractConfig(definition, values, false);
        } catch (ConfigException e) {
            throw new BadSettingsException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * All settings as a properties file, with where they came from, and without secrets.
     *
     * @throws BadSettingsException when the file cannot be read, or a key is unknown
     */
    public List<String> printed(Optional<Path> file, Map<String, String> environment, List<String> assignments)
            throws BadSettingsException {
        return new PrintedSettings(service, definition).lines(given(file, environment, assignments));
    }

    /**
     * What was given, by key.
     *
     * @throws BadSettingsException when the file cannot be read, or a key is unknown
     */
    Map<String, Given> given(Optional<Path> file, Map<String, String> environment, List<String> assignments)
            throws BadSettingsException {
        Map<String, Given> given = new HashMap<>();
        if (file.isPresent()) {
            fromFile(file.get()).forEach((key, value) -> given.put(key, new Given(value, String.valueOf(file.get()))));
        }
        fromEnvironment(environment).forEach((key, value) -> given.put(key, new Given(value, "the environment")));
        fromAssignments(assignments).forEach((key, value) -> given.put(key, new Given(value, "the command line")));
        for (String key : given.keySet()) {
            if (!definition.names().contains(key) && passed.stream().noneMatch(key::startsWith)) {
                String expected = NearestName.of(key, definition.names())
                        .map(name -> "expected " + name + ", or another")
                        .orElse("expected one");
                throw new BadSettingsException("unknown setting " + key + "; " + expected
                        + " that --print-config shows, or " + String.join("*, ", passed) + "*");
            }
        }
        return given;
    }

    private static Map<String, String> fromFile(Path file) throws BadSettingsException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new BadSettingsException("expected a settings file at " + file + ", but there is none");
        } catch (IOException | IllegalArgumentException e) {
            // Properties answers a broken Unicode escape with an IllegalArgumentException.
            throw new BadSettingsException("expected a readable settings file at " + file + ", but " + e);
        }
        Map<String, String> values = new HashMap<>();
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
        return values;
    }

    private Map<String, String> fromEnvironment(Map<String, String> environment) {
        String prefix = "TIDEMARK_" + variable(service) + "_";
        Map<String, String> values = new HashMap<>();
        for (String below : passed) {
            String variables = prefix + variable(below);
            environment.forEach((name, value) -> {
                if (name.startsWith(variables)) {
                    String key = name.substring(variables.length()).toLowerCase(Locale.ROOT);
                    values.put(below + key.replace('_', '.'), value);
                }
            });
        }
        for (String key : definition.names()) {
            String value = environment.get(prefix + variable(key));
            if (value != null) {
                values.put(key, value);
            }
        }
        return values;
    }

    private static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    private static Map<String, String> fromAssignments(List<String> assignments) throws BadSettingsException {
        Map<String, String> values = new HashMap<>();
        for (String assignment : assignments) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new BadSettingsException("expected key=value after --set, but got " + assignment);
            }
            values.put(assignment.substring(0, equals), assignment.substring(equals + 1));
        }
        return values;
    }
}
