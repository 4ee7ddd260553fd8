package io.hdfsraid.raidnode.catalog;

/**
 * A column family with the formats of its keys and values, side by side. The formats of keys have
 * no version byte, for keys are compared: another key format is another column family.
 */
record Table<K, V>(String name, Format<K> key, Format<V> value) {}
