package dev.tidemark.deploy.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.tls.TlsFiles;

/** Both services, and the question whether they are ready. */
public final class HttpServices implements Services, ReadinessProbe {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(5);
    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);

    private final HttpClient client;
    private final ServiceClient.Credentials credentials;

    /** Services that ask for nothing. */
    public HttpServices() {
        this(ServiceClient.Credentials.NONE);
    }

    private HttpServices(ServiceClient.Credentials credentials) {
        this.client = credentials.newClient(CONNECT_PATIENCE);
        this.credentials = credentials;
    }

    /**
     * Reads the files of an identity.
     *
     * @throws ServiceException when a file cannot be used
     */
    public static ServiceClient.Credentials credentials(ClientIdentity identity) throws ServiceException {
        TlsFiles tls = new TlsFiles(identity.certificate(), identity.key(), Optional.empty(), identity.ca());
        try {
            return ServiceClient.Credentials.load(tls, identity.token());
        } catch (BadSettingsException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Services as(ClientIdentity identity) throws ServiceException {
        return identity.equals(ClientIdentity.NONE) ? this : new HttpServices(credentials(identity));
    }

    @Override
    public ServiceCalls at(String name, URI service) {
        return new JsonCalls(client, service, name, credentials);
    }

    @Override
    public boolean isReady(URI service) {
        HttpRequest request = HttpRequest.newBuilder(service.resolve("/health/ready"))
                .timeout(PROBE_PATIENCE)
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
