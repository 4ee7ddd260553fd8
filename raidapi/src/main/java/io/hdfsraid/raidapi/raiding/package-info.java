/** Requests to raid and to unraid. */
package io.hdfsraid.raidapi.raiding;
