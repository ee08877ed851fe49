package dev.tidemark.http;

import java.time.Duration;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** Those of the {@link HttpLimits} that depend on who the clients are and what stands between, as settings. */
public final class LimitSettings {
    private static final String CONNECTIONS = "http.max.connections";
    private static final String IDLE = "http.idle.timeout";
    private static final String HEADERS = "http.header.timeout";
    private static final int LEAST_CONNECTIONS = 16;
    private static final int MOST_CONNECTIONS = 100_000;
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private LimitSettings() {}

    /** Defines what each service has. */
    public static void define(ConfigDef definition) {
        definition
                .define(
                        CONNECTIONS,
                        ConfigDef.Type.INT,
                        HttpLimits.USUAL.connections(),
                        ConfigDef.Range.between(LEAST_CONNECTIONS, MOST_CONNECTIONS),
                        Importance.LOW,
                        "Most connections; further ones wait to be accepted, and idle ones are closed early meanwhile.")
                .define(
                        IDLE,
                        ConfigDef.Type.STRING,
                        text(HttpLimits.USUAL.idle()),
                        Importance.LOW,
                        "A connection that is silent for longer is closed, 1s to 1h. Shorter than that of a proxy before"
                                + " the service makes it send requests into closed connections.")
                .define(
                        HEADERS,
                        ConfigDef.Type.STRING,
                        text(HttpLimits.USUAL.headerPatience()),
                        Importance.LOW,
                        "A client whose headers, or TLS handshake, take longer is cut off, 1s to 1h. Too long lets slow"
                                + " clients keep others out.");
    }

    /**
     * The limits in the given values; those that are no settings are the usual ones.
     *
     * @throws BadSettingsException when a time is none, or too short or too long
     */
    public static HttpLimits of(AbstractConfig values) throws BadSettingsException {
        HttpLimits usual = HttpLimits.USUAL;
        return new HttpLimits(
                usual.headerBytes(),
                usual.urlBytes(),
                values.getInt(CONNECTIONS),
                time(values, IDLE),
                time(values, HEADERS),
                usual.bodyWindow(),
                usual.bodyBytesPerWindow());
    }

    private static String text(Duration time) {
        return time.toSeconds() + "s";
    }

    private static Duration time(AbstractConfig values, String key) throws BadSettingsException {
        String given = values.getString(key);
        try {
            Duration time = Durations.parse(given);
            if (time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0) {
                return time;
            }
        } catch (BadSettingsException e) {
            throw new BadSettingsException(key + ": " + e.getMessage());
        }
        throw new BadSettingsException("expected " + key + " of 1s to 1h, but got " + given);
    }
}
