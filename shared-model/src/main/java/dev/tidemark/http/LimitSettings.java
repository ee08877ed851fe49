package dev.tidemark.http;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/**
 * Those of the {@link HttpLimits} that depend on who the clients are and what stands between, as settings; and how much
 * one call may ask for.
 */
public final class LimitSettings {
    private static final String CONNECTIONS = "http.max.connections";
    private static final String IDLE = "http.idle.timeout";
    private static final String HEADERS = "http.header.timeout";
    private static final String HOSTS = "http.allowed.hosts";
    private static final String PAGE = "http.max.page";
    private static final String WAIT = "http.max.wait";
    private static final int MOST_PAGE = 100_000;
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
                        "Most connections; further ones wait to be accepted, and meanwhile each answer ends its connection.")
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
                                + " clients keep others out.")
                .define(
                        HOSTS,
                        ConfigDef.Type.LIST,
                        "",
                        Importance.LOW,
                        "Names, comma-separated, that requests may be sent to, beside http.host and the loopback names: those"
                                + " of a proxy before the service, for example. Requests for other hosts are answered 421,"
                                + " unless this is empty and callers must show tokens or certificates over TLS.");
    }

    /** Defines the most of what a page may have, for a service that answers in pages. */
    public static void definePage(ConfigDef definition, int preset) {
        definition.define(
                PAGE,
                ConfigDef.Type.INT,
                preset,
                ConfigDef.Range.between(1, MOST_PAGE),
                Importance.LOW,
                "Most rows or entries of one page, 1 to 100,000; a larger limit= is answered 400. Each page is held in"
                        + " memory while it is answered.");
    }

    /** Defines how long a call may wait, for a service whose calls can. */
    public static void defineWait(ConfigDef definition, Duration preset) {
        definition.define(
                WAIT,
                ConfigDef.Type.STRING,
                text(preset),
                Importance.LOW,
                "Longest wait= that a call may ask for, 1s to 1h; a longer one is answered 400. Who waits keeps a thread:"
                        + " half of http.threads may.");
    }

    /** Names that requests may be sent to, beside those that are known anyway. */
    public static Set<String> allowedHosts(AbstractConfig values) {
        return values.getList(HOSTS).stream()
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Most rows or entries of one page. */
    public static int page(AbstractConfig values) {
        return values.getInt(PAGE);
    }

    /**
     * How long a call may wait at most.
     *
     * @throws BadSettingsException when that is no time, or too short or too long
     */
    public static Duration longestWait(AbstractConfig values) throws BadSettingsException {
        return time(values, WAIT);
    }

    /**
     * The limits in the given values; those that are no settings are the usual ones.
     *
     * @throws BadSettingsException when a time is none, or too short or too long
     */
    public static HttpLimits of(AbstractConfig values) throws BadSettingsException {
        return HttpLimits.USUAL.withConnections(values.getInt(CONNECTIONS), time(values, IDLE), time(values, HEADERS));
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
