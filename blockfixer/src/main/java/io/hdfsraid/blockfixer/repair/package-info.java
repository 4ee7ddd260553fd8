/** Carries a plan out: rebuild, prove, deliver, confirm. */
package io.hdfsraid.blockfixer.repair;
