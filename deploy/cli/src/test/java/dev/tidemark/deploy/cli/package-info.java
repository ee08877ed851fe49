/** Tests of the command line, over services that answer what the test says. */
@NullMarked
package dev.tidemark.deploy.cli;

import org.jspecify.annotations.NullMarked;
