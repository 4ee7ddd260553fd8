// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.tests.daemon.ColdFiles;
import io.hdfsraid.tests.daemon.Until;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Carries out faults, and ends them. */
final class Faults {
  private final ProcessHdfs hdfs;
  private final FileSystem throughLosses;
  private final Daemons daemons;
  private final Random random;
  private final Map<Integer, SlowDataNode> slow = new HashMap<>();
  private int activeNameNode;
  private int dataNode;
  private int journal;
  private String damaged = "";
  private byte[] written = {};

  Faults(ProcessHdfs hdfs, FileSystem throughLosses, Daemons daemons, Random random) {
    this.hdfs = hdfs;
    this.throughLosses = throughLosses;
    this.daemons = daemons;
    this.random = random;
  }

  /**
   * @param files all of them are raided and healthy
   */
  void begin(Fault fault, List<ColdFiles> files) throws Exception {
    switch (fault) {
      case DATANODE_DIES -> hdfs.killDataNode(someDataNode());
      case DATANODE_FREEZES -> hdfs.freezeDataNode(someDataNode());
      case DATANODE_SLOW -> slow.put(someDataNode(), new SlowDataNode(hdfs, dataNode));
      case DISK_FULL -> hdfs.fillDisk(someDataNode());
      case BLOCK_LOST -> requireSome(hdfs.deleteReplicas(someBlock(chooseFile(files))));
      case BLOCK_ROTS -> requireSome(hdfs.corruptReplicas(someBlock(chooseFile(files))));
      case NAMENODE_DIES -> {
        int former = activeNameNode;
        hdfs.killNameNode(former);
        hdfs.activate(anotherNameNode());
        hdfs.launchNameNode(former);
      }
      case NAMENODE_HANDS_OVER -> {
        hdfs.standBy(activeNameNode);
        hdfs.activate(anotherNameNode());
      }
      case JOURNAL_DIES -> {
        journal = random.nextInt(ProcessHdfs.JOURNALS);
        hdfs.killJournal(journal);
      }
      case DAEMON_DIES -> daemons.kill();
      case DAEMON_FREEZES -> daemons.freeze();
      case DAEMON_CUT_OFF -> daemons.cut();
      case DAEMON_FAR_AWAY -> daemons.slow();
    }
  }

  void end(Fault fault) throws Exception {
    switch (fault) {
      case DATANODE_DIES -> hdfs.launch(dataNode);
      case DATANODE_FREEZES -> hdfs.thawDataNode(dataNode);
      case DATANODE_SLOW -> slow.remove(dataNode).close();
      case DISK_FULL -> hdfs.emptyDisk(dataNode);
      case JOURNAL_DIES -> {
        hdfs.launchJournal(journal);
        hdfs.fileSystem().rollEdits(); // it takes edits again from the next segment on
      }
      case DAEMON_DIES -> daemons.launchAgain();
      case DAEMON_FREEZES -> {
        sometimesAwaitSuccessor();
        daemons.thaw();
      }
      case DAEMON_CUT_OFF -> {
        sometimesAwaitSuccessor();
        daemons.mend();
      }
      case DAEMON_FAR_AWAY -> daemons.mend();
      case BLOCK_LOST, BLOCK_ROTS -> // nobody sees rot before it is read
          Until.holds(this::isReadThroughLosses, () -> damaged + " cannot be read");
      case NAMENODE_DIES, NAMENODE_HANDS_OVER -> {
        // nobody but the daemons mends these, or nothing is left of them
      }
    }
  }

  private int someDataNode() {
    dataNode = random.nextInt(Daemons.DATA_NODES);
    return dataNode;
  }

  private int anotherNameNode() {
    activeNameNode =
        (activeNameNode + 1 + random.nextInt(Daemons.NAME_NODES - 1)) % Daemons.NAME_NODES;
    return activeNameNode;
  }

  private void sometimesAwaitSuccessor() throws Exception {
    if (random.nextBoolean()) {
      daemons.awaitSuccessor();
    }
  }

  private boolean isReadThroughLosses() {
    try (FSDataInputStream in = throughLosses.open(new Path(damaged))) {
      assertThat(in.readAllBytes()).as(damaged).isEqualTo(written);
      return true;
    } catch (IOException e) {
      return false; // a DataNode may be away as well, or its report
    }
  }

  private static void requireSome(int replicas) {
    if (replicas == 0) {
      throw new AssertionError("The block had no replica");
    }
  }

  private String chooseFile(List<ColdFiles> files) {
    ColdFiles some = files.get(random.nextInt(files.size()));
    List<String> paths = List.copyOf(some.paths());
    damaged = paths.get(random.nextInt(paths.size()));
    written = some.bytes(damaged);
    return damaged;
  }

  private long someBlock(String file) throws IOException {
    List<LocatedBlock> blocks =
        hdfs.fileSystem().getClient().getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks();
    return blocks.get(random.nextInt(blocks.size())).getBlock().getBlockId();
  }
}
