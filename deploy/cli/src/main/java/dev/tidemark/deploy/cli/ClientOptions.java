package dev.tidemark.deploy.cli;

import java.net.URI;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;

/** Where the services are; every client command takes both. */
final class ClientOptions {
    @Option(
            names = "--writer",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8081",
            description = "Where the writer is (default: ${DEFAULT-VALUE}).")
    URI writer = URI.create("http://127.0.0.1:8081");

    @Option(
            names = "--worker",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8082",
            description = "Where the index worker is (default: ${DEFAULT-VALUE}).")
    URI worker = URI.create("http://127.0.0.1:8082");

    @Mixin
    private IdentityOptions identity = new IdentityOptions();

    /** Returns the services with the identity of the user who runs the command. */
    Services of(Services services) throws ServiceException {
        return services.as(identity.identity());
    }
}
