/**
 * The inner loops of the codecs: a matrix over GF(2^8) times a vector of buffers. {@link
 * io.hdfsraid.erasurecode.kernel.CodingKernels} chooses which of the kernels this process uses;
 * {@link io.hdfsraid.erasurecode.kernel.PreparedMatrix} multiplies with it.
 */
package io.hdfsraid.erasurecode.kernel;
