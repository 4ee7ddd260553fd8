// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.policies.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** What users and administrators do to a file, whatever a daemon is about to do with it. */
enum UserAction {
  RENAME(Effect.NONE) {
    @Override
    void happen(EventCase it) throws IOException {
      it.rename(it.path(), it.directory() + "/renamed");
    }
  },
  RENAME_OF_A_PARENT(Effect.NONE) {
    @Override
    void happen(EventCase it) throws IOException {
      it.fs().rename(new Path(it.directory() + "/sub"), new Path(it.directory() + "/elsewhere"));
      it.moved(it.path(), it.directory() + "/elsewhere/file");
    }
  },
  APPEND(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      it.append(1_234);
    }
  },
  APPEND_HSYNC_AND_STAY_OPEN(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      byte[] more = it.bytes(1_234);
      FSDataOutputStream out = it.fs().append(new Path(it.path()));
      it.leaveOpen(out);
      out.write(more);
      out.hsync();
      it.holds(it.path(), EventCase.join(it.content(), more));
    }

    @Override
    Optional<Reason> waitsFor() {
      return Optional.of(Reason.UNDER_CONSTRUCTION);
    }

    @Override
    void end(EventCase it) throws IOException {
      it.closeLeftOpen();
    }
  },
  EMPTY_APPEND(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      it.fs().append(new Path(it.path())).close();
    }
  },
  TRUNCATE_TO_A_BLOCK_BOUNDARY(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      it.truncate(2 * Journey.BLOCK);
    }
  },
  TRUNCATE_INTO_A_BLOCK(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      it.truncate(2 * Journey.BLOCK + 77);
    }
  },
  TRUNCATE_AND_APPEND_TO_THE_SAME_LENGTH(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      int length = it.content().length;
      it.truncate(length - 1_000);
      it.append(1_000);
    }
  },
  CONCAT_ONTO_IT(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      byte[] more = it.bytes(Journey.BLOCK + 5);
      String other = it.sibling("other");
      it.write(other, more);
      it.fs().concat(new Path(it.path()), new Path[] {new Path(other)});
      it.holds(it.path(), EventCase.join(it.content(), more));
      it.gone(other);
    }
  },
  CONCAT_WITH_IT_AS_SOURCE(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      byte[] first = it.bytes(Journey.BLOCK + 5);
      String target = it.sibling("target");
      it.write(target, first);
      it.fs().concat(new Path(target), new Path[] {new Path(it.path())});
      it.holds(target, EventCase.join(first, it.content()));
      it.gone(it.path());
    }
  },
  DELETE(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      it.delete();
    }
  },
  DELETE_AND_CREATE_ANEW_UNDER_A_SNAPSHOT(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      it.snapshot();
      it.delete();
      it.write(it.path(), it.bytes(Journey.BLOCK + 17));
    }

    @Override
    Optional<Reason> waitsFor() {
      return Optional.of(Reason.GONE);
    }

    @Override
    void end(EventCase it) throws IOException {
      it.deleteSnapshot();
    }
  },
  /** As {@code distcp -p} does. */
  OVERWRITE_WITH_THE_SAME_LENGTH_AND_TIMES(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      Path path = new Path(it.path());
      FileStatus before = it.fs().getFileStatus(path);
      it.write(it.path(), it.bytes(it.content().length));
      it.fs().setTimes(path, before.getModificationTime(), before.getAccessTime());
    }
  },
  DELETE_INTO_TRASH_AND_BACK(Effect.NONE) {
    @Override
    void happen(EventCase it) throws IOException {
      String path = it.path();
      String trash = it.fs().getTrashRoot(new Path(path)).toUri().getPath() + "/Current" + path;
      it.fs().mkdirs(new Path(trash).getParent());
      it.rename(path, trash);
      it.rename(trash, path);
    }
  },
  REPLICATION_UP(Effect.REPLICATION) {
    @Override
    void happen(EventCase it) throws IOException {
      it.setReplication(5);
    }
  },
  REPLICATION_DOWN(Effect.REPLICATION) {
    @Override
    void happen(EventCase it) throws IOException {
      it.setReplication(1);
    }
  },
  SET_TIMES(Effect.NONE) {
    @Override
    void happen(EventCase it) throws IOException {
      it.fs().setTimes(new Path(it.path()), 1_000, 2_000);
    }
  },
  MODE_OWNER_AND_ACL(Effect.NONE) {
    @Override
    void happen(EventCase it) throws IOException {
      Path path = new Path(it.path());
      it.fs().setPermission(path, new FsPermission((short) 0600));
      it.fs().setOwner(path, "alice", "staff");
      it.fs().modifyAclEntries(path, AclEntry.parseAclSpec("user:bob:r--", true));
    }
  },
  SNAPSHOT(Effect.NONE) {
    @Override
    void happen(EventCase it) throws IOException {
      it.snapshot();
    }

    @Override
    Optional<Reason> waitsFor() {
      return Optional.of(Reason.HELD_BY_SNAPSHOT);
    }

    @Override
    void end(EventCase it) throws IOException {
      it.deleteSnapshot();
    }
  },
  TRUNCATE_UNDER_A_SNAPSHOT(Effect.CHANGES) {
    @Override
    void happen(EventCase it) throws IOException {
      it.snapshot();
      it.truncate(2 * Journey.BLOCK + 77);
    }

    @Override
    Optional<Reason> waitsFor() {
      return Optional.of(Reason.HELD_BY_SNAPSHOT);
    }

    @Override
    void end(EventCase it) throws IOException {
      it.deleteSnapshot();
    }
  },
  SPACE_QUOTA_TOO_SMALL(Effect.NONE) {
    @Override
    void happen(EventCase it) throws IOException {
      it.fs().setQuota(new Path(it.directory()), HdfsConstants.QUOTA_DONT_SET, 1);
    }

    @Override
    Optional<Reason> waitsFor() {
      return Optional.of(Reason.QUOTA_EXCEEDED);
    }

    @Override
    void end(EventCase it) throws IOException {
      it.fs()
          .setQuota(
              new Path(it.directory()), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    }
  },
  STORAGE_POLICY(Effect.NONE) {
    @Override
    void happen(EventCase it) throws IOException {
      it.fs().setStoragePolicy(new Path(it.path()), HdfsConstants.ALLSSD_STORAGE_POLICY_NAME);
    }
  },
  /** A parity unit holds other bytes than its data demands, and its manifest records them. */
  WRONG_PARITY(Effect.NONE) {
    @Override
    void happen(EventCase it) throws IOException {
      it.falsifyParity();
    }

    @Override
    void daemonLooks(EventCase it) throws IOException {
      it.scrub();
    }

    @Override
    boolean isMended(EventCase it) throws IOException {
      return !it.hasFalseParity();
    }
  },
  /** As plain {@code hdfs dfs -rm -r} does, which moves into the trash. */
  ROOT_MOVED(Effect.NONE) {
    @Override
    void happenToAll(Journey journey) throws IOException {
      journey.moveRoot();
    }

    @Override
    void endForAll(Journey journey) throws IOException {
      journey.returnRoot();
    }
  },
  /** As {@code hdfs dfs -rm -r -skipTrash} does. */
  ROOT_DELETED(Effect.NONE) {
    @Override
    void happenToAll(Journey journey) throws IOException {
      journey.hdfs.fileSystem().delete(new Path("/.raid"), true);
    }
  },
  /** It is set back by more than a year, and then far ahead. */
  CLOCK_SET(Effect.NONE) {
    @Override
    void happenToAll(Journey journey) {
      journey.clock.setOff(Duration.ofDays(-400));
    }

    @Override
    void endForAll(Journey journey) {
      journey.clock.setOff(Duration.ofDays(400));
    }
  },
  /** As if Ranger decided who may read. */
  EXTERNAL_AUTHORIZER(Effect.NONE) {
    @Override
    void happenToAll(Journey journey) {
      journey.authorizeExternally(true);
    }

    @Override
    void endForAll(Journey journey) throws IOException {
      journey.jobs().detection().integrity().runAsking();
      List<String> readable = journey.readableParity();
      if (!readable.isEmpty()) {
        throw new AssertionError("An authorizer decides, and yet others may read " + readable);
      }
      journey.authorizeExternally(false);
      journey.jobs().detection().integrity().runAsking();
    }
  },
  SAFE_MODE(Effect.NONE) {
    @Override
    void happenToAll(Journey journey) throws IOException {
      journey.hdfs.fileSystem().setSafeMode(SafeModeAction.ENTER);
    }

    @Override
    void endForAll(Journey journey) throws IOException {
      journey.hdfs.fileSystem().setSafeMode(SafeModeAction.LEAVE);
    }
  },
  RESTART_OF_THE_NAMENODE(Effect.NONE) {
    @Override
    void happenToAll(Journey journey) throws IOException {
      journey.hdfs.restartNameNode();
    }
  },
  FAILOVER(Effect.NONE) {
    @Override
    void happenToAll(Journey journey) throws IOException {
      journey.hdfs.failOver();
    }

    /** Or the excess replicas would stay until the next full reports, in hours. */
    @Override
    void endForAll(Journey journey) throws IOException {
      journey.hdfs.triggerBlockReports();
    }
  };

  /** What it does to the protection of the file. */
  enum Effect {
    /** It is still the same blocks with the same replication. */
    NONE,
    /** The same blocks, and another replication, which is the user's. */
    REPLICATION,
    /** Its parity does not fit it any more. */
    CHANGES
  }

  private static final List<UserAction> ALL = List.of(values());
  private static final List<UserAction> TO_THE_CLUSTER =
      List.of(
          ROOT_MOVED,
          ROOT_DELETED,
          CLOCK_SET,
          EXTERNAL_AUTHORIZER,
          SAFE_MODE,
          RESTART_OF_THE_NAMENODE,
          FAILOVER);

  private final Effect effect;

  UserAction(Effect effect) {
    this.effect = effect;
  }

  Effect effect() {
    return effect;
  }

  /** It happens to one file. */
  void happen(EventCase it) throws IOException {
    happenToAll(it.journey());
  }

  /** It happens to the cluster, so to all files at once. */
  void happenToAll(Journey journey) throws IOException {
    throw new UnsupportedOperationException(this + " happens to one file");
  }

  /** Why a file may stay where it is until {@link #end}; empty when it needs nobody. */
  Optional<Reason> waitsFor() {
    return Optional.empty();
  }

  /** What finds it, beside the jobs that look at every file. */
  void daemonLooks(EventCase it) throws IOException {}

  /** Whether the daemon has mended what it finds in {@link #daemonLooks}. */
  boolean isMended(EventCase it) throws IOException {
    return true;
  }

  /** Ends what still goes on for one file. */
  void end(EventCase it) throws IOException {}

  void endForAll(Journey journey) throws IOException {}

  boolean toTheCluster() {
    return TO_THE_CLUSTER.contains(this);
  }

  static List<UserAction> toFiles() {
    return ALL.stream().filter(action -> !action.toTheCluster()).toList();
  }

  static List<UserAction> toClusters() {
    return TO_THE_CLUSTER;
  }
}
