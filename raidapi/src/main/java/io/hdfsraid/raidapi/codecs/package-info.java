/** The codecs that policies may name, and the kernels that compute them. */
package io.hdfsraid.raidapi.codecs;
