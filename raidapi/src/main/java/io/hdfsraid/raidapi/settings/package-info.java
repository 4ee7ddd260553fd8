/** Settings that can be changed while the daemon runs. */
package io.hdfsraid.raidapi.settings;
