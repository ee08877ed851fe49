/**
 * Clients that mean harm: connections that send too slowly, read too slowly, ask for too much, break off, or send what
 * no client should. One thread moves all of them, so that a drill can have hundreds.
 */
@NullMarked
package dev.tidemark.deploy.drill.hostile;

import org.jspecify.annotations.NullMarked;
