// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import io.hdfsraid.recency.editlog.EditBatch;
import io.hdfsraid.recency.editlog.EditLog;
import io.hdfsraid.recency.editlog.MissedEditsException;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.inotify.EventBatchList;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/**
 * Reads the edit log through HDFS's inotify interface, which needs a superuser. The NameNode is
 * called directly, because Hadoop's {@code DFSInotifyEventInputStream} hides its position after
 * transactions without events. After a restart a client would read such transactions again, or find
 * them deleted and believe that events are missing.
 */
public final class InotifyEditLog implements EditLog {
  /** The value of the NameNode for "no transaction". */
  private static final long NONE = -1;

  private final ClientProtocol nameNode;

  /**
   * @param fs asks the active NameNode, never an observer
   */
  public InotifyEditLog(DistributedFileSystem fs) {
    this.nameNode = fs.getClient().getNamenode();
  }

  @Override
  public long newest() throws IOException {
    return nameNode.getCurrentEditLogTxid();
  }

  @Override
  public EditBatch after(long transaction) throws IOException {
    EventBatchList told = nameNode.getEditsFromTxid(transaction + 1);
    if (told.getLastTxid() == NONE) {
      return new EditBatch(transaction, Math.max(0, told.getSyncTxid()), 0, List.of());
    }
    if (told.getFirstTxid() != transaction + 1) {
      throw new MissedEditsException(transaction + 1, told.getFirstTxid());
    }
    List<NamespaceEvent> events = new ArrayList<>();
    long silent = 0;
    for (EventBatch batch : told.getBatches()) {
      for (Event event : batch.getEvents()) {
        Optional<NamespaceEvent> kept = InotifyEventReader.read(event);
        kept.ifPresent(events::add);
        silent += kept.isPresent() ? 0 : 1;
      }
    }
    return new EditBatch(told.getLastTxid(), Math.max(0, told.getSyncTxid()), silent, events);
  }
}
