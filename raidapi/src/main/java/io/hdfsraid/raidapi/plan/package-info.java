/** What the policies will do. */
package io.hdfsraid.raidapi.plan;
