/**
 * The daemon: remembers, schedules, raids, answers. {@link io.hdfsraid.raidnode.RaidNode} starts
 * it, a {@link io.hdfsraid.raidnode.Wiring} puts it together.
 */
package io.hdfsraid.raidnode;
