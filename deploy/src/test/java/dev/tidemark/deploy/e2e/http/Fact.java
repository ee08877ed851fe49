package dev.tidemark.deploy.e2e.http;

import com.fasterxml.jackson.databind.JsonNode;

/** A row of the fact table as a scan answers it. */
public record Fact(JsonNode key, String version, JsonNode row) {}
