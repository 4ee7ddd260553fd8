// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.raiding.core.GroupStripes;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The groups that files of one directory would form, computed from their known facts alone.
 *
 * @param groups each worth its parity
 * @param left too few to be worth parity
 * @param whyLeft for a person; empty when none is left
 */
public record GroupPlan(List<List<FileFacts>> groups, List<FileFacts> left, String whyLeft) {
  public GroupPlan {
    groups = List.copyOf(groups);
    left = List.copyOf(left);
  }

  /** Files that may share a group as far as the catalog knows; the NameNode is asked later. */
  public record Bucket(
      String directory, String owner, String group, int replication, boolean encrypted) {
    public static Bucket of(FileFacts file) {
      return new Bucket(
          directoryOf(file.path()),
          file.owner(),
          file.group(),
          file.replication(),
          file.is(FileFacts.Trait.ENCRYPTED));
    }
  }

  /** The directory a path is in. */
  public static String directoryOf(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  /** A file that has no full stripe of its own. */
  public static boolean mayShare(FileFacts file, Protection protection) {
    return file.blocks() > 0
        && file.blocks() < Codecs.parse(protection.codec()).shape().dataUnits();
  }

  /**
   * Cuts the files of a bucket into groups of about equally many stripes, the longest files
   * together.
   */
  public static GroupPlan of(List<FileFacts> bucket, Protection protection, int minSavingPercent) {
    ErasureCodec codec = Codecs.parse(protection.codec());
    List<FileFacts> longestFirst =
        bucket.stream()
            .sorted(
                Comparator.comparingLong(FileFacts::length)
                    .reversed()
                    .thenComparingLong(FileFacts::inodeId))
            .toList();
    int blocks = longestFirst.stream().mapToInt(FileFacts::blocks).sum();
    int k = codec.shape().dataUnits();
    int stripes = (blocks + k - 1) / k;
    int count = (stripes + GroupStripes.MOST - 1) / GroupStripes.MOST;
    List<List<FileFacts>> groups = new ArrayList<>();
    List<FileFacts> left = new ArrayList<>();
    String why = "";
    int from = 0;
    long taken = 0;
    for (int group = 1; group <= count; group++) {
      int to = from;
      // At the end of a stripe, so that none but the last is short of units.
      long until = (long) stripes * group / count * k;
      while (to < longestFirst.size() && taken < until) {
        taken += longestFirst.get(to).blocks();
        to++;
      }
      List<FileFacts> together = longestFirst.subList(from, to);
      Optional<LeftAlone> pointless =
          saving(together, codec, protection).tooLittle(minSavingPercent);
      if (pointless.isPresent()) {
        left.addAll(together);
        why = pointless.get().getMessage();
      } else {
        groups.add(together);
      }
      from = to;
    }
    return new GroupPlan(groups, left, why);
  }

  private static GroupSaving saving(
      List<FileFacts> files, ErasureCodec codec, Protection protection) {
    List<Long> lengths = new ArrayList<>();
    int replication = 0;
    for (FileFacts file : files) {
      replication = file.replication();
      long tail = file.length() - (file.blocks() - 1) * file.blockSize();
      for (int block = 1; block < file.blocks(); block++) {
        lengths.add(file.blockSize());
      }
      // A concatenated file may have short blocks anywhere. Raiding checks its blocks.
      lengths.add(Math.max(1, tail));
    }
    return GroupSaving.ofLengths(files.size(), lengths, replication, codec, protection);
  }

  /** A file's part of the parity of its group, by length, all replicas. */
  public static long parityBytes(FileFacts file, List<FileFacts> group, Protection protection) {
    GroupSaving saving = saving(group, Codecs.parse(protection.codec()), protection);
    long bytes = group.stream().mapToLong(FileFacts::length).sum();
    long parity = saving.after() - bytes * protection.targetReplication();
    return Math.round((double) parity * file.length() / Math.max(1, bytes));
  }

  /** Inode ids of the files, in order. */
  public static List<Long> inodes(List<FileFacts> files) {
    return List.copyOf(new TreeSet<>(files.stream().map(FileFacts::inodeId).toList()));
  }
}
