package dev.tidemark.writer;

import org.junit.jupiter.api.Test;

import dev.tidemark.settings.SettingsTable;
import dev.tidemark.testkit.GeneratedPage;

class ConfigurationPageTest {
    @Test
    void theSettingsOfTheWriterAreThoseOfTheCode() {
        new GeneratedPage("configuration.md", "writer", "writer-service", ConfigurationPageTest.class)
                .holds(SettingsTable.of(WriterConfig.definition()));
    }
}
