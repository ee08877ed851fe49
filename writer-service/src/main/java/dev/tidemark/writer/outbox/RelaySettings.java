package dev.tidemark.writer.outbox;

import java.time.Duration;

/**
 * How the relay works.
 *
 * @param heartbeatInterval how often each partition hears how complete it is; too long makes an idle index look stale
 * @param retainRecords how many published changes stay in the outbox to be published again if the log loses them
 * @param tombstoneDelay how long after its delete a row is forgotten by the topic
 * @param derivedPatience how long the topic of a global index may keep other topics waiting
 */
public record RelaySettings(
        Duration heartbeatInterval, long retainRecords, Duration tombstoneDelay, Duration derivedPatience) {}
