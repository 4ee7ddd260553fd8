/**
 * Turns k units into m parity units and says how to rebuild lost ones. {@link
 * io.hdfsraid.erasurecode.Codecs} finds a codec by name; an {@link
 * io.hdfsraid.erasurecode.ErasureCodec} encodes rows and plans repairs; a {@link
 * io.hdfsraid.erasurecode.RebuildRecipe} says what to read and rebuilds. Depends on nothing; a
 * native ISA-L is used where that and JNA are there.
 */
package io.hdfsraid.erasurecode;
