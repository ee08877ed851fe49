package dev.tidemark.deploy.http;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import dev.tidemark.client.Options;
import dev.tidemark.client.Request;
import dev.tidemark.client.Tidemark;
import dev.tidemark.client.TidemarkException;
import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.RowJson;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.tls.TlsFiles;

/** Both services, and the question whether they are ready. */
public final class HttpServices implements Services, ReadinessProbe {
    /** Until an answer is whole: a page of many rows over a slow line takes a while. */
    private static final Duration ANSWER_PATIENCE = Duration.ofMinutes(10);

    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);

    private final Tidemark client;

    /** Services that ask for nothing. */
    public HttpServices() {
        this(ServiceClient.Credentials.NONE);
    }

    private HttpServices(ServiceClient.Credentials credentials) {
        Options.Builder options = Tidemark.options()
                .requestTimeout(ANSWER_PATIENCE)
                .retryFor(Duration.ZERO)
                .mapper(RowJson.mapper());
        credentials.token().ifPresent(options::token);
        credentials.tls().ifPresent(options::sslContext);
        client = Tidemark.connect(options.build());
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
    public ServiceCalls at(String name, URI... urls) throws ServiceException {
        try {
            return new JsonCalls(client.at(urls), name);
        } catch (IllegalArgumentException e) {
            throw new ServiceException(e.getMessage() + " for the " + name);
        }
    }

    @Override
    public boolean isReady(URI service) {
        try {
            return client.at(service)
                    .send(Request.get("/health/ready").within(PROBE_PATIENCE))
                    .isObject();
        } catch (TidemarkException e) {
            return false;
        }
    }
}
