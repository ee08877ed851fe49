package dev.tidemark.deploy.drill;

/** Something cannot be read at the moment, or is not as it will be; trying again may help. */
final class NotSettledException extends Exception {
    private static final long serialVersionUID = 1;

    NotSettledException(String message) {
        super(message);
    }
}
