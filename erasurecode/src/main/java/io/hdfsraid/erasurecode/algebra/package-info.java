/** Arithmetic in GF(2^8) and linear algebra over it. */
package io.hdfsraid.erasurecode.algebra;
