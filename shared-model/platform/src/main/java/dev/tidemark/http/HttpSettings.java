package dev.tidemark.http;

import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.eclipse.jetty.util.HostPort;

import dev.tidemark.settings.Durations;

/**
 * Where and how a service listens. Those of the {@link HttpLimits} are settings that depend on who the clients are and
 * what stands between.
 *
 * @param host address to bind; loopback unless the user chose otherwise
 * @param port 0 for any free one
 * @param threads most handlers at work at once; further calls wait for one
 * @param drain how long requests under way may take to finish when the service stops
 * @param limits what a client may ask of it
 * @param allowedHosts names, beside the host, that requests may be sent to
 */
public record HttpSettings(
        String host, int port, int threads, Duration drain, HttpLimits limits, Set<String> allowedHosts) {
    private static final String HOST = "http.host";
    private static final String PORT = "http.port";
    private static final String THREADS = "http.threads";
    private static final String CONNECTIONS = "http.max.connections";
    private static final String IDLE = "http.idle.timeout";
    private static final String HEADERS = "http.header.timeout";
    private static final String HOSTS = "http.allowed.hosts";
    private static final String PAGE = "http.max.page";
    private static final String WAIT = "http.max.wait";
    private static final int MOST_PORT = 65_535;
    private static final int MOST_PAGE = 100_000;
    private static final int LEAST_CONNECTIONS = 16;
    private static final int MOST_CONNECTIONS = 100_000;
    private static final ConfigDef.Validator TIME = Durations.within("1s", "1h");

    public HttpSettings {
        allowedHosts = Set.copyOf(allowedHosts);
    }

    /** With the usual limits. */
    public HttpSettings(String host, int port, int threads, Duration drain) {
        this(host, port, threads, drain, HttpLimits.USUAL, Set.of());
    }

    /** The same, which takes requests to one more name. */
    public HttpSettings allowing(String name) {
        Set<String> names = new HashSet<>(allowedHosts);
        names.add(name.toLowerCase(Locale.ROOT));
        return new HttpSettings(host, port, threads, drain, limits, names);
    }

    /** The URL of a port of the host. A URL has an IPv6 address in brackets, which a setting need not have. */
    String url(boolean secure, int onPort) {
        return (secure ? "https://" : "http://") + HostPort.normalizeHost(host) + ":" + onPort;
    }

    /**
     * Defines what each service has.
     *
     * @param port on which the service listens unless the user chooses another
     * @param threads what the number of threads means to the service
     */
    public static void define(ConfigDef definition, int port, String threads) {
        definition
                .define(
                        HOST,
                        ConfigDef.Type.STRING,
                        "127.0.0.1",
                        Importance.HIGH,
                        "Address to listen on. Others than those of this machine need TLS and authentication.")
                .define(
                        PORT,
                        ConfigDef.Type.INT,
                        port,
                        ConfigDef.Range.between(0, MOST_PORT),
                        Importance.HIGH,
                        "Port to listen on; 0 for any free one.")
                .define(THREADS, ConfigDef.Type.INT, 64, ConfigDef.Range.between(8, 1_024), Importance.LOW, threads)
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
                        TIME,
                        Importance.LOW,
                        "A connection that is silent for longer is closed, 1s to 1h. Shorter than that of a proxy before"
                                + " the service makes it send requests into closed connections.")
                .define(
                        HEADERS,
                        ConfigDef.Type.STRING,
                        text(HttpLimits.USUAL.headerPatience()),
                        TIME,
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
                TIME,
                Importance.LOW,
                "Longest wait= that a call may ask for, 1s to 1h; a longer one is answered 400. Who waits keeps a thread:"
                        + " half of http.threads may.");
    }

    /** The settings in the given values; limits that are no settings are the usual ones. */
    public static HttpSettings of(AbstractConfig values, Duration drain) {
        return new HttpSettings(
                values.getString(HOST),
                values.getInt(PORT),
                values.getInt(THREADS),
                drain,
                new HttpLimits(values.getInt(CONNECTIONS), Durations.of(values, IDLE), Durations.of(values, HEADERS)),
                values.getList(HOSTS).stream()
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Most rows or entries of one page. */
    public static int page(AbstractConfig values) {
        return values.getInt(PAGE);
    }

    /** How long a call may wait at most. */
    public static Duration longestWait(AbstractConfig values) {
        return Durations.of(values, WAIT);
    }

    private static String text(Duration time) {
        return time.toSeconds() + "s";
    }
}
