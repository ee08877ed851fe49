package dev.tidemark.deploy.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Nothing is logged meanwhile: faults are reported by whoever meets them, thousands of times. */
final class SilencedLogs implements BeforeAllCallback, AfterAllCallback {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("dev.tidemark");

    @Override
    public void beforeAll(ExtensionContext context) {
        LOGGER.setLevel(Level.OFF);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        LOGGER.setLevel(null);
    }
}
