/** The policies in force, their validation, and what they say about a file. */
package io.hdfsraid.raidapi.policies;
