/** Tests of the client against a small server. */
@NullMarked
package dev.tidemark.client;

import org.jspecify.annotations.NullMarked;
