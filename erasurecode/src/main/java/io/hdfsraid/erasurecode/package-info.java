/**
 * Turns k units into m parity units and says how to rebuild lost ones. {@link
 * io.hdfsraid.erasurecode.codes.Codecs} finds a codec by name; an {@link
 * io.hdfsraid.erasurecode.ErasureCodec} encodes rows and plans repairs; a {@link
 * io.hdfsraid.erasurecode.RebuildRecipe} says what to read and rebuilds. Depends on nothing, and
 * uses a native ISA-L only if the process asks for it, and that and JNA are there ({@link
 * io.hdfsraid.erasurecode.kernel.CodingKernels}).
 */
package io.hdfsraid.erasurecode;
