/**
 * Backups of a whole installation: taken from running services, put back into data directories of stopped ones.
 *
 * <p>Read {@link dev.tidemark.deploy.backup.NewBackup} first, then {@link dev.tidemark.deploy.backup.Manifest}, the
 * list of its files, and {@link dev.tidemark.deploy.backup.Restore}. Everything runs on the thread of the caller; a
 * {@link dev.tidemark.deploy.backup.BackupException} says what was expected and found.
 */
@NullMarked
package dev.tidemark.deploy.backup;

import org.jspecify.annotations.NullMarked;
