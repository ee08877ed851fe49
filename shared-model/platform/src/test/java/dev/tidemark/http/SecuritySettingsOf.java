package dev.tidemark.http;

import java.util.HashMap;
import java.util.Map;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

import dev.tidemark.settings.BadSettingsException;

/** Settings as a service would read them. */
final class SecuritySettingsOf {
    private SecuritySettingsOf() {}

    /** Keys and values in turn. */
    static SecuritySettings values(Object... keysAndValues) throws BadSettingsException {
        ConfigDef definition = new ConfigDef();
        SecuritySettings.define(definition);
        SecuritySettings.defineCaller(definition);
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put(keysAndValues[i].toString(), keysAndValues[i + 1].toString());
        }
        return SecuritySettings.of(new AbstractConfig(definition, values, false));
    }
}
