/**
 * Holds who may use the daemon: persons, their roles, the tokens that prove who they are, and the
 * names of files that they may see.
 */
package io.hdfsraid.raidnode.access;
