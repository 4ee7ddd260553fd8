/** The versions of the daemon and of what it runs on. */
package io.hdfsraid.raidapi.version;
