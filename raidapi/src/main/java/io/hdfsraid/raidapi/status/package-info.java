/** The daemon at a glance. */
package io.hdfsraid.raidapi.status;
