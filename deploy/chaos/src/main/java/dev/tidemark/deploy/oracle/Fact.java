package dev.tidemark.deploy.oracle;

import com.fasterxml.jackson.databind.JsonNode;

/** A row of the fact table as a scan answers it. */
public record Fact(JsonNode key, String version, JsonNode row) {}
