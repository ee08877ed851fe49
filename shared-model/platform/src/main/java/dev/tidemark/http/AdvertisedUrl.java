package dev.tidemark.http;

import java.net.URI;
import java.util.Set;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;

/** Where other processes reach this one. */
public final class AdvertisedUrl {
    /** The setting. */
    public static final String KEY = "advertised.url";

    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "[::]", "[0:0:0:0:0:0:0:0]");

    private AdvertisedUrl() {}

    /** Defines the setting. */
    public static void define(ConfigDef definition, String meaning) {
        definition.define(KEY, ConfigDef.Type.STRING, "", Importance.MEDIUM, meaning);
    }

    /** Whether it is an address to listen on, and none to be reached at. */
    public static boolean isWildcard(URI url) {
        return WILDCARDS.contains(String.valueOf(url.getHost()));
    }

    /**
     * The address that the setting gives, without slashes at its end: paths follow, which begin with one.
     *
     * @throws IllegalArgumentException when it cannot be one
     */
    public static URI given(String text) {
        URI url = URI.create(text.replaceFirst("/+$", ""));
        boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!isHttp || url.getHost() == null || isWildcard(url)) {
            throw new IllegalArgumentException("expected " + KEY
                    + " to have the address of this machine, which others reach, as in http://10.0.0.7:8082, but got "
                    + text);
        }
        return url;
    }

    /** The address that is made of where a service listens. */
    public static URI made(HttpSettings http, SecuritySettings security) {
        return URI.create(http.url(security.server().isAny(), http.port()));
    }

    /** Takes requests to the address: where callers may use any name, one more would be the only one. */
    public static HttpSettings taking(URI url, HttpSettings http, SecuritySettings security) {
        boolean takesAny = security.isClosed() && http.allowedHosts().isEmpty();
        return takesAny || url.getHost() == null ? http : http.allowing(url.getHost());
    }
}
