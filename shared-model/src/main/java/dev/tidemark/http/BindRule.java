package dev.tidemark.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a service may listen: anywhere with TLS and authentication, else on this machine only. */
final class BindRule {
    private BindRule() {}

    /** Why the service is not safe on an address; empty when it is. */
    static Optional<String> danger(String host, SecuritySettings settings) {
        List<String> missing = new ArrayList<>();
        if (settings.server().certificate().isEmpty()) {
            missing.add("TLS (tls.certificate and tls.key)");
        }
        if (settings.tokens().isEmpty() && settings.server().trusted().isEmpty()) {
            missing.add("authentication (auth.tokens.file or tls.client.ca)");
        }
        return missing.isEmpty() || isLoopback(host)
                ? Optional.empty()
                : Optional.of("http.host=" + host + " can be reached from other machines, and there is no "
                        + String.join(" and no ", missing));
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // An unknown name counts as reachable: binding to it fails anyway, unless DNS resolves it in the meantime.
            return false;
        }
    }
}
