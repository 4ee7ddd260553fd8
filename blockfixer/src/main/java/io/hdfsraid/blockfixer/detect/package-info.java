/** Finds what is lost, says who noticed, and judges each stripe. Changes nothing. */
package io.hdfsraid.blockfixer.detect;
