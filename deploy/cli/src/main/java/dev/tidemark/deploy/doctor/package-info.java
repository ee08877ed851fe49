/**
 * What {@code tidemark doctor} looks at, and what it concludes. {@link dev.tidemark.deploy.doctor.Doctor} looks at one
 * thing after the other. What it found is a record: {@link dev.tidemark.deploy.doctor.Machine},
 * {@link dev.tidemark.deploy.doctor.DataPlace}, {@link dev.tidemark.deploy.doctor.KafkaFacts} or
 * {@link dev.tidemark.deploy.doctor.ServiceState}. The rules are methods {@code judge}, which look at nothing
 * themselves and add to the {@link dev.tidemark.deploy.doctor.Findings}.
 *
 * <p>Nothing is changed: a file that tries the disk is removed at once, and brokers only validate. One thread.
 */
@NullMarked
package dev.tidemark.deploy.doctor;

import org.jspecify.annotations.NullMarked;
