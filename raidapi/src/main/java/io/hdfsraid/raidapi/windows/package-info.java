/** When policies may act. */
package io.hdfsraid.raidapi.windows;
