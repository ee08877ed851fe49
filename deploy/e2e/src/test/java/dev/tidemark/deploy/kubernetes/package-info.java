/** The manifests for Kubernetes and Strimzi are such that services run with them. No cluster is needed. */
@NullMarked
package dev.tidemark.deploy.kubernetes;

import org.jspecify.annotations.NullMarked;
