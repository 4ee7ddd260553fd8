/** Holds who may use the daemon: persons, their roles, and the tokens that prove who they are. */
package io.hdfsraid.raidnode.access;
