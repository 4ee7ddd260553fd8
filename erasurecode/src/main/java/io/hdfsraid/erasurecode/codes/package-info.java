/**
 * The families of codes and how a linear code is encoded, rebuilt and verified. {@link
 * io.hdfsraid.erasurecode.codes.Codecs} is all that other packages see.
 */
package io.hdfsraid.erasurecode.codes;
