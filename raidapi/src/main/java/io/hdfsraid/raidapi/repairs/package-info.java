/** The repair queue, requests for repairs, and repair storms. */
package io.hdfsraid.raidapi.repairs;
