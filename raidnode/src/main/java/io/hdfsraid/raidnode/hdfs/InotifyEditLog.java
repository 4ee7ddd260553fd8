package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.namespace.NamespaceEvent;
import io.hdfsraid.raidnode.recency.EditLog;
import io.hdfsraid.raidnode.recency.Edits;
import io.hdfsraid.raidnode.recency.MissedEditsException;
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
 * The edit log by HDFS's inotify, for the superuser. The NameNode is asked directly: Hadoop's
 * {@code DFSInotifyEventInputStream} keeps to itself how far it is past transactions that are no
 * events, so that whoever goes on after a restart would read them again, or find them gone and
 * believe that events are missing.
 */
public final class InotifyEditLog implements EditLog {
  /** What the NameNode says where there is no transaction. */
  private static final long NONE = -1;

  private final ClientProtocol nameNode;

  /** An HDFS whose active NameNode is asked, never an observer. */
  public InotifyEditLog(DistributedFileSystem fs) {
    this.nameNode = fs.getClient().getNamenode();
  }

  @Override
  public long newest() throws IOException {
    return nameNode.getCurrentEditLogTxid();
  }

  @Override
  public Edits after(long transaction) throws IOException {
    EventBatchList told = nameNode.getEditsFromTxid(transaction + 1);
    if (told.getLastTxid() == NONE) {
      return new Edits(transaction, Math.max(0, told.getSyncTxid()), 0, List.of());
    }
    if (told.getFirstTxid() != transaction + 1) {
      throw new MissedEditsException(transaction + 1, told.getFirstTxid());
    }
    List<NamespaceEvent> events = new ArrayList<>();
    long silent = 0;
    for (EventBatch batch : told.getBatches()) {
      for (Event event : batch.getEvents()) {
        Optional<NamespaceEvent> kept = InotifyEvents.read(event);
        kept.ifPresent(events::add);
        silent += kept.isPresent() ? 0 : 1;
      }
    }
    return new Edits(told.getLastTxid(), Math.max(0, told.getSyncTxid()), silent, events);
  }
}
