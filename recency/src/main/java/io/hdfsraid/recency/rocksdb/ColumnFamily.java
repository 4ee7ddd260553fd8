// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

/** The name of a column family: a sorted map of keys to values inside a {@link Database}. */
public interface ColumnFamily {
  /** Returns the name on disk. */
  String family();
}
