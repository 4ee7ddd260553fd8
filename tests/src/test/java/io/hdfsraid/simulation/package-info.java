/**
 * Years in minutes: the jobs of a daemon, all of them and wired as in production, on a cluster in
 * memory under a clock that jumps, while nodes, racks and disks fail as field studies have seen it.
 * The package comes before most other tests, because this takes long.
 */
package io.hdfsraid.simulation;
