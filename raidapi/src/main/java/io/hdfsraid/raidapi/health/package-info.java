/** The health of raided files: files, stripes and units. */
package io.hdfsraid.raidapi.health;
