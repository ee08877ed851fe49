package dev.tidemark.deploy.backup;

/**
 * What a file was when it was copied.
 *
 * @param checksum CRC-32C of its bytes
 */
record FileChecksum(long bytes, long checksum) {}
