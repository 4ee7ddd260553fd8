/**
 * The parts that all raiding steps share: the steps and their outcomes, claims on files, checks of
 * sources, and the cluster.
 */
package io.hdfsraid.raidnode.raiding.core;
