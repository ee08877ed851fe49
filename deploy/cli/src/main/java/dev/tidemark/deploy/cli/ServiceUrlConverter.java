package dev.tidemark.deploy.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the URL of a service: {@code http} or {@code https}, and a host. */
final class ServiceUrlConverter implements ITypeConverter<URI> {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    @Override
    public URI convert(String text) {
        try {
            URI url = new URI(text);
            if (url.getHost() != null && url.getScheme() != null && SCHEMES.contains(url.getScheme())) {
                return url;
            }
        } catch (URISyntaxException e) {
            // Then it is as wrong as a URL of something else.
        }
        throw new TypeConversionException("expected an http:// or https:// URL, but got '" + text + "'");
    }
}
