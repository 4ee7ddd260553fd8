/** What raiding saves. */
package io.hdfsraid.raidapi.savings;
