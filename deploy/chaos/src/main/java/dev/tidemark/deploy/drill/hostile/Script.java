package dev.tidemark.deploy.drill.hostile;

/**
 * What a hostile client does on each of its connections.
 *
 * @param name of the kind of harm, for reports
 * @param opening what it sends at once, a byte for each character
 * @param drip what it sends afterwards, one byte at a time, from the start again at its end; empty for nothing
 * @param reading how it reads what it is answered
 * @param refused whether a 2xx answer would be a defect of the service
 */
public record Script(String name, String opening, String drip, Reading reading, boolean refused) {
    /** How a client reads. */
    public enum Reading {
        /** Everything at once. */
        ALL,
        /** The status, and then it breaks the connection. */
        STATUS,
        /** One byte at a time, as it sends. */
        SLOWLY,
        /** It breaks the connection as soon as it has sent its opening. */
        NEVER
    }

    /** Whether its harm is to send or to read slowly. */
    public boolean isSlow() {
        return !drip.isEmpty() || reading == Reading.SLOWLY;
    }

    /** A client that sends an opening and then one byte after the other. */
    static Script dripping(String name, String opening, String drip) {
        return new Script(name, opening, drip, Reading.ALL, false);
    }

    /** A client that reads its answer one byte after the other. */
    static Script slowReader(String name, String request) {
        return new Script(name, request, "", Reading.SLOWLY, false);
    }

    /** A client that sends at once and reads at once, for as often as the service lets it. */
    static Script greedy(String name, String request) {
        return new Script(name, request, "", Reading.ALL, false);
    }

    /** A client whose request must be refused. */
    static Script forbidden(String name, String request) {
        return new Script(name, request, "", Reading.STATUS, true);
    }

    /** A harmless client, which asks whether the service is alive. */
    static Script health(String host) {
        String request = "GET /health/live HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
        return new Script("health", request, "", Reading.STATUS, false);
    }

    /** A client that breaks its connection in the middle of a request. */
    static Script breakingOff(String name, String opening) {
        return new Script(name, opening, "", Reading.NEVER, false);
    }
}
