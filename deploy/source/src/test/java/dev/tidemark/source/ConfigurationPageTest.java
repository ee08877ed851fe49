package dev.tidemark.source;

import org.junit.jupiter.api.Test;

import dev.tidemark.settings.SettingsTable;
import dev.tidemark.testkit.GeneratedPage;

class ConfigurationPageTest {
    @Test
    void theSettingsOfTheSourceAreThoseOfTheCode() {
        new GeneratedPage("configuration.md", "source", "deploy/source", ConfigurationPageTest.class)
                .holds(SettingsTable.of(SourceMain.definition()));
    }
}
