/**
 * What a drill does to the machine below the processes: {@link dev.tidemark.deploy.drill.machine.Disk} is a file system
 * in a file, which can be full or lose what was not synced, {@link dev.tidemark.deploy.drill.machine.Tracer} makes
 * system calls of a process fail, {@link dev.tidemark.deploy.drill.machine.Link} is a connection to the broker that can
 * be slow or cut, {@link dev.tidemark.deploy.drill.machine.Namespace} is a separate network for a process, whose
 * packets can be lost.
 *
 * <p>Needs programs of Linux and mostly root; {@link dev.tidemark.deploy.drill.machine.MachineException} says what is
 * missing. All but a link's own thread is for the thread of the drill.
 */
@NullMarked
package dev.tidemark.deploy.drill.machine;

import org.jspecify.annotations.NullMarked;
