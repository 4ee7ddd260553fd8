/** What an operator asks for by hand: planned while he waits, carried out after he was answered. */
package io.hdfsraid.raidnode.request;
