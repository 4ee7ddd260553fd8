package io.hdfsraid.raidnode.catalog;

import java.util.function.Function;

/**
 * How values of a type are written. A change of what {@code decode} understands needs another
 * version byte; golden bytes in the tests hold this.
 *
 * @param decode throws {@link IllegalArgumentException} for what it does not understand
 */
record Format<T>(Function<T, byte[]> encode, Function<byte[], T> decode) {}
