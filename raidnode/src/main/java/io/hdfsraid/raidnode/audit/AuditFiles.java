// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.audit;

import java.io.IOException;
import java.util.List;

/** The files on HDFS that hold the audit. Each change passes the fence first. */
public interface AuditFiles {

  /**
   * A file of the audit.
   *
   * @param name without its directory
   */
  record Kept(String name, long bytes) {}

  /** Returns all files of the audit, in the order of their names. */
  List<Kept> list() throws IOException;

  /** Returns the content of a file. Reading needs no ownership. */
  byte[] read(String name) throws IOException;

  /** Creates a file with this content. */
  void create(String name, byte[] content) throws IOException;

  /** Appends to a file that this process has created. */
  void append(String name, byte[] content) throws IOException;

  /** Deletes a file, if it exists. */
  void delete(String name) throws IOException;
}
