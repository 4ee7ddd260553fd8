/** What was done, by whom and when. */
package io.hdfsraid.raidapi.history;
