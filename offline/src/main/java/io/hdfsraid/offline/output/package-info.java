/** What commands of this module give out while they work and at the end: progress, reports. */
package io.hdfsraid.offline.output;
