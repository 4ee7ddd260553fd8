/**
 * Chooses what to raid and what to reheat: evaluates the namespace, plans, and applies limits and
 * capacity gates.
 */
package io.hdfsraid.raidnode.select;
