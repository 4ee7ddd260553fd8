// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.namespace;

import java.util.Objects;

/**
 * A volume of a DataNode as the NameNode reports it.
 *
 * @param id HDFS's name for it
 * @param type HDFS's name for the medium, e.g. {@code DISK}
 * @param remaining bytes free for HDFS
 * @param used bytes used by HDFS
 */
public record StorageState(String id, String type, long remaining, long used) {
  public StorageState {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(type, "type");
  }
}
