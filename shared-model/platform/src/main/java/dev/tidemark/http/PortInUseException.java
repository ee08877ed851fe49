package dev.tidemark.http;

/** The address to listen on is taken. */
public final class PortInUseException extends Exception {
    private static final long serialVersionUID = 1L;

    PortInUseException(String host, int port) {
        super("port " + port + " on " + host
                + " is in use; stop the process that has it, or choose another with --set http.port=PORT");
    }
}
