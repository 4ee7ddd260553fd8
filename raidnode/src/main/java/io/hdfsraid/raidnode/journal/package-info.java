/** Records what was done: the catalog, the history, the log and the listeners for metrics. */
package io.hdfsraid.raidnode.journal;
