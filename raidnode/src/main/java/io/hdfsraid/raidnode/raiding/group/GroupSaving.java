// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidnode.raiding.core.GroupStripes;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import java.util.List;
import java.util.Optional;

/**
 * The disk space that a group of files saves, in bytes, all replicas counted.
 *
 * @param files how many
 * @param before what they occupy now
 * @param after what they and their parity will
 */
record GroupSaving(int files, long before, long after) {

  static GroupSaving of(List<LocatedFile> files, ErasureCodec codec, Protection protection) {
    int replication = files.isEmpty() ? 0 : files.get(0).replication();
    return of(files, replication, codec, protection);
  }

  /**
   * @param replication what the files had before anything protected them
   */
  static GroupSaving of(
      List<LocatedFile> files, int replication, ErasureCodec codec, Protection protection) {
    List<Long> lengths =
        files.stream().flatMap(file -> file.contents().stream()).map(Block::length).toList();
    return ofLengths(files.size(), lengths, replication, codec, protection);
  }

  /**
   * @param lengths of all blocks of the files
   */
  static GroupSaving ofLengths(
      int files, List<Long> lengths, int replication, ErasureCodec codec, Protection protection) {
    long bytes = lengths.stream().mapToLong(Long::longValue).sum();
    return new GroupSaving(
        files,
        bytes * replication,
        bytes * protection.targetReplication()
            + GroupStripes.parityBytes(lengths, codec) * protection.parityReplication());
  }

  /** Why the group is not worth its parity; empty when it is. */
  Optional<LeftAlone> tooLittle(int minSavingPercent) {
    boolean enough =
        after < before && (double) (before - after) / before >= minSavingPercent / 100.0;
    return enough
        ? Optional.empty()
        : Optional.of(
            new LeftAlone(
                Reason.NO_COMPANY,
                "The %d files of its directory that could share parity with it occupy %d bytes and would occupy %d; the least saving is %d %%"
                    .formatted(files, before, after, minSavingPercent)));
  }
}
