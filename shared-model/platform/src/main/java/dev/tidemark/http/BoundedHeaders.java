package dev.tidemark.http;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * Makes connections that end a request with 431 once it has too many headers. Jetty limits their bytes alone, and many
 * short ones become objects of many times those bytes before any handler sees the request.
 */
final class BoundedHeaders extends HttpConnectionFactory {
    BoundedHeaders(HttpConfiguration http) {
        super(http);
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        Counted connection = new Counted(getHttpConfiguration(), connector, endPoint);
        connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(connection, connector, endPoint);
    }

    private static final class Counted extends HttpConnection {
        Counted(HttpConfiguration http, Connector connector, EndPoint endPoint) {
            super(http, connector, endPoint);
        }

        @Override
        protected RequestHandler newRequestHandler() {
            return new Counting();
        }

        /** Counts the headers of a request, and what follows its body in their form. */
        private final class Counting extends RequestHandler {
            private int headers;

            @Override
            public void startRequest(String method, String uri, HttpVersion version) {
                headers = 0;
                super.startRequest(method, uri, version);
            }

            @Override
            public void parsedHeader(HttpField field) {
                count();
                super.parsedHeader(field);
            }

            @Override
            public void parsedTrailer(HttpField field) {
                count();
                super.parsedTrailer(field);
            }

            private void count() {
                headers++;
                if (headers > HttpLimits.MOST_HEADERS) {
                    throw new HttpException.RuntimeException(
                            HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431,
                            "more than " + HttpLimits.MOST_HEADERS + " headers");
                }
            }
        }
    }
}
