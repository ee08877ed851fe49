/**
 * The clients of a drill: each writes its own rows, moves them, queries what it wrote, changes the index definitions,
 * and judges every answer.
 *
 * <p>Read in this order: {@link dev.tidemark.deploy.drill.load.DrillTables} (the tables and rows),
 * {@link dev.tidemark.deploy.drill.load.WriteClient}, {@link dev.tidemark.deploy.drill.load.AnswerCheck},
 * {@link dev.tidemark.deploy.drill.load.SchemaChanger}, {@link dev.tidemark.deploy.drill.load.Workload} (all of them,
 * and the {@link dev.tidemark.deploy.drill.load.ClientGate} that lets them pause). One thread each; a service that does
 * not answer never ends a client.
 */
@NullMarked
package dev.tidemark.deploy.drill.load;

import org.jspecify.annotations.NullMarked;
