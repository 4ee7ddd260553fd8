/** Thread pools and the workers that run tasks on them. */
package io.hdfsraid.raidnode.worker;
