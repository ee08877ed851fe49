/** Tests of the clients against a small server. */
@NullMarked
package dev.tidemark.deploy.http;

import org.jspecify.annotations.NullMarked;
