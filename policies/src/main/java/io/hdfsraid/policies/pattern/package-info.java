/**
 * Regular expressions that whoever may write a policy cannot stall the daemon with: every string is
 * matched in time that grows with its length and no faster.
 */
package io.hdfsraid.policies.pattern;
