package dev.tidemark.deploy.doctor;

import org.apache.kafka.common.config.AbstractConfig;

import dev.tidemark.settings.BadSettingsException;

/** What a service looks at before it listens: its address, certificates and tokens. */
@FunctionalInterface
public interface StartCheck {
    /**
     * Looks, without listening.
     *
     * @throws BadSettingsException when the service would not start
     */
    void check(AbstractConfig settings) throws BadSettingsException;
}
