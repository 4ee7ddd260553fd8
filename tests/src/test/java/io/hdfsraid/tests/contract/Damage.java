// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.contract;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.fs.HandRaider;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Raids files, and destroys a block of each of their stripes behind everybody's back. */
final class Damage implements AutoCloseable {
  private final EmbeddedHdfs hdfs;
  private final HdfsNamespace namespace;
  private final HandRaider raider;
  private final int dataUnits;

  /** Inode ids. */
  private final Set<Long> done = new HashSet<>();

  Damage(EmbeddedHdfs hdfs, String root, String codec) throws IOException {
    this.hdfs = hdfs;
    this.namespace = new HdfsNamespace(hdfs.fileSystem());
    this.raider = new HandRaider(hdfs, root, codec);
    this.dataUnits = Codecs.parse(codec).shape().dataUnits();
  }

  /** Does its work once for each file that is complete and not empty. */
  synchronized void to(String path) throws IOException {
    LocatedFile file = namespace.file(path).orElse(null);
    if (file == null || file.underConstruction() || file.length() == 0 || !done.add(file.inode())) {
      return;
    }
    raider.raid(path);
    List<LocatedBlock> blocks = file.blocks();
    for (int first = 0; first < blocks.size(); first += dataUnits) {
      LocatedBlock lost = blocks.get(first);
      for (var replica : lost.live()) {
        hdfs.deleteReplica(lost.block().id(), hdfs.dataNodeAt(replica.node().address()).index());
      }
    }
  }

  @Override
  public void close() {
    raider.close();
  }
}
