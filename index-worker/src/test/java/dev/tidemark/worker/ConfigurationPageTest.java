package dev.tidemark.worker;

import org.junit.jupiter.api.Test;

import dev.tidemark.settings.SettingsTable;
import dev.tidemark.testkit.GeneratedPage;

class ConfigurationPageTest {
    @Test
    void theSettingsOfTheWorkerAreThoseOfTheCode() {
        new GeneratedPage("configuration.md", "worker", "index-worker", ConfigurationPageTest.class)
                .holds(SettingsTable.of(WorkerConfig.definition()));
    }
}
