// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

import java.util.function.Function;

/**
 * Converts the values of a type to bytes and back. A change of the bytes needs another version
 * byte; tests compare the bytes with recorded ones.
 *
 * @param decode throws {@link IllegalArgumentException} for bytes that it does not understand
 */
public record Format<T>(Function<T, byte[]> encode, Function<byte[], T> decode) {}
