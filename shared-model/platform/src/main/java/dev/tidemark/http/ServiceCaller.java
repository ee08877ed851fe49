package dev.tidemark.http;

import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * Sends requests to other services on a few threads, which never wait. It keeps connections for later requests, and
 * begins new ones when its credentials have changed. For any thread.
 */
public final class ServiceCaller implements AutoCloseable {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    /** Shorter than services wait for another request, so that none is sent into a connection that closes. */
    private static final Duration IDLE = Duration.ofSeconds(5);

    private static final Duration DESTINATION_IDLE = Duration.ofMinutes(1);
    private static final int THREADS = 8;
    private static final int MOST_SELECTORS = 4;
    private static final int MOST_CONNECTIONS = 256;
    private static final int MOST_ANSWER_HEADER_BYTES = 32 << 10;

    private final ServiceClient service;
    private final SslContextFactory.Client tls = new SslContextFactory.Client();
    private final HttpClient client;
    private final CallTimer timer;
    private ServiceClient.Credentials shown = ServiceClient.Credentials.NONE;
    private boolean closed;

    /** A caller that connects with the first request. */
    public ServiceCaller(ServiceClient service) {
        this.service = service;
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(Math.min(MOST_SELECTORS, Runtime.getRuntime().availableProcessors()));
        connector.setSslContextFactory(tls);
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
        threads.setName("calls");
        threads.setDaemon(true);
        connector.setExecutor(threads);
        ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler("calls-timer", true);
        connector.setScheduler(scheduler);
        this.timer = new CallTimer(scheduler);
        HttpClientTransportOverHTTP transport = new HttpClientTransportOverHTTP(connector);
        // What is answered is taken in by the thread that has read it, and no other one is woken.
        transport.setInvocationType(Invocable.InvocationType.NON_BLOCKING);
        this.client = new HttpClient(transport);
        client.setConnectTimeout(CONNECT_PATIENCE.toMillis());
        client.setIdleTimeout(IDLE.toMillis());
        client.setDestinationIdleTimeout(DESTINATION_IDLE.toMillis());
        client.setMaxConnectionsPerDestination(MOST_CONNECTIONS);
        // What a service takes, another can pass on.
        client.setMaxRequestHeadersSize(2 * HttpLimits.HEADER_BYTES);
        client.setMaxResponseHeadersSize(MOST_ANSWER_HEADER_BYTES);
        client.setFollowRedirects(false);
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setUserAgentField(null);
    }

    /** The service that it calls most. */
    public ServiceClient service() {
        return service;
    }

    /** A request to a service that takes the same token. It may wait for its answer as long as the sender does. */
    public Request to(URI address) {
        ServiceClient.Credentials credentials = started();
        Request request = client.newRequest(address).idleTimeout(0, TimeUnit.MILLISECONDS);
        credentials
                .authorization()
                .ifPresent(text -> request.headers(headers -> headers.put(HttpHeader.AUTHORIZATION, text)));
        return request;
    }

    /**
     * Runs a task after that time, on a thread that must not be held up.
     *
     * @return cancels it
     */
    public Runnable after(Duration time, Runnable task) {
        ServiceClient.Credentials unused = started();
        return timer.after(time, task);
    }

    /** Gives up what is under way, and takes no more requests. */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            client.stop();
        } catch (Exception e) {
            throw new IllegalStateException("Expected to stop calling " + service, e);
        }
    }

    /** What is shown. What is asked from now on trusts and shows what is in the files now. */
    private synchronized ServiceClient.Credentials started() {
        if (closed) {
            throw new IllegalStateException("Expected no request after the end of the connection to " + service);
        }
        ServiceClient.Credentials credentials = service.credentials();
        try {
            if (client.isStopped()) {
                tls.setSslContext(context(credentials));
                client.start();
                // Answers are passed on as they come: none is unpacked, repeated or followed.
                client.getProtocolHandlers().clear();
                client.getContentDecoderFactories().clear();
            } else if (!credentials.equals(shown)) {
                tls.reload(factory -> factory.setSslContext(context(credentials)));
                client.getDestinations().forEach(client::removeDestination);
            }
        } catch (Exception e) {
            throw new IllegalStateException("Expected to begin to call " + service, e);
        }
        shown = credentials;
        return credentials;
    }

    private static SSLContext context(ServiceClient.Credentials credentials) {
        return credentials.tls().orElseGet(() -> {
            try {
                return SSLContext.getDefault();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Expected Java to have a default for TLS", e);
            }
        });
    }
}
