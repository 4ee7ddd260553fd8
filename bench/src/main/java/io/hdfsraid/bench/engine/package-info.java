/** Raiding and repairing in containers, beside the same by the daemon alone. */
package io.hdfsraid.bench.engine;
