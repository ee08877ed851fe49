package dev.tidemark.deploy.text;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.RowSource;
import dev.tidemark.catalog.SourceChange;

import static org.assertj.core.api.Assertions.assertThat;

class SourceLinesTest {
    private static final Optional<RowSource> SHOP = Optional.of(new RowSource("shop", "public.customers"));

    @Test
    void sayWhatItMeansThatATableFollowsASourceOrNoLonger() {
        List<SourceChange> changes = List.of(
                new SourceChange("customers", Optional.empty(), SHOP),
                new SourceChange("orders", SHOP, Optional.empty()));

        assertThat(SourceLines.render(DefinitionJson.of(changes)))
                .containsExactly(
                        "Table customers follows source shop (public.customers): clients may not write it, and its"
                                + " freshness is unknown until the source has loaded it.",
                        "Table orders no longer follows source shop (public.customers): its rows stay, and clients"
                                + " write it.");
    }
}
