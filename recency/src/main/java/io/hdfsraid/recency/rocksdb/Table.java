// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

/**
 * A column family with the formats of its keys and values. The format of a key has no version byte,
 * because keys are compared as bytes: another key format needs another column family.
 */
public record Table<K, V>(String family, Format<K> key, Format<V> value) implements ColumnFamily {}
