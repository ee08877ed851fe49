package dev.tidemark.deploy.drill;

import java.io.IOException;

/** Something cannot be read at the moment, or is not as it will be; trying again may help. */
final class NotSettledException extends IOException {
    private static final long serialVersionUID = 1;

    NotSettledException(String message) {
        super(message);
    }
}
