package dev.tidemark.deploy.cli;

import java.net.URI;

import picocli.CommandLine.Option;

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
}
