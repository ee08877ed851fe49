package dev.tidemark.deploy.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a certificate is for.
 *
 * @param names host names and addresses, none of them a pattern
 */
record CertificateNames(List<String> names) {
    private static final int DNS_NAME = 2;
    private static final int ADDRESS = 7;

    /** Those of the first certificate in a file; none where it cannot be read. */
    static CertificateNames of(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            Collection<List<?>> all = Optional.ofNullable(certificate.getSubjectAlternativeNames())
                    .orElse(List.of());
            return new CertificateNames(all.stream()
                    .filter(name -> name.get(0).equals(DNS_NAME) || name.get(0).equals(ADDRESS))
                    .map(name -> String.valueOf(name.get(1)))
                    .filter(name -> !name.contains("*"))
                    .toList());
        } catch (IOException | CertificateException e) {
            return new CertificateNames(List.of());
        }
    }

    /** The name by which to reach a host: its own, or else {@code localhost} on this machine, or else the first. */
    Optional<String> reaching(String host) {
        Stream<String> own =
                host.startsWith("127.") || host.equals("::1") ? Stream.of(host, "localhost") : Stream.of(host);
        return Stream.concat(own.filter(names::contains), names.stream()).findFirst();
    }
}
