// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

/**
 * The reason why a file is left as it is: one vocabulary for policies, the raiding pipeline, the
 * metrics and the shell. A {@link Judge} gives the reasons that follow from facts about the file.
 * The raiding pipeline gives the reasons that it only finds while it works, from {@link
 * #MISSING_BLOCKS} on.
 *
 * <p>The names are written to metrics and to the catalog: add, do not rename.
 */
public enum Reason {
  NO_POLICY("No policy covers this path."),
  CONDITIONS_NOT_MET(
      "Policies cover this path, but the file does not meet the conditions of any of them."),
  EXCLUDED("The path is excluded."),
  LEFT_BY_POLICY("A policy says that files like this one are left as they are."),
  UNRAIDED_BY_POLICY(
      "A policy says that files like this one get their replicas back and lose their parity."),
  ALREADY_RAIDED("The file is protected by parity already."),
  STRIPED("The file uses HDFS's own erasure coding, which cannot be combined with ours."),
  EMPTY("The file is empty: there is nothing to protect."),
  UNDER_CONSTRUCTION("The file is open for writing."),
  TOO_SMALL("The file is smaller than the policy's minSize."),
  TOO_YOUNG("The file was changed more recently than the policy's minAge allows."),
  STILL_WARM("The file was used more recently than the policy's coldAfter allows."),
  INSUFFICIENT_HISTORY(
      "Accesses have not been recorded reliably for as long as the policy looks back, so it is"
          + " unknown whether the file is cold."),
  USED_TOO_OFTEN("The file was opened more often than the policy's accesses allow."),
  COOLING_DOWN(
      "The file got its replicas back because it was read again; it keeps them for the policy's"
          + " coolDown."),
  REPLICATION_AT_TARGET("The file has no more replicas than the policy would leave it."),
  IN_SNAPSHOT(
      "A snapshot holds the file and keeps all its replicas, so raiding saves nothing before the"
          + " snapshot is deleted."),
  UNRAIDED_BY_OPERATOR("An operator unraided the file by hand; only raiding it by hand ends this."),
  WOULD_NOT_SAVE("Parity would cost about as much space as the replicas it replaces."),
  NO_COMPANY(
      "The file alone is too small for parity, and its directory has too few other files to share"
          + " parity with."),

  MISSING_BLOCKS("A block of the file is missing or corrupt: it must be whole to be raided."),
  CHANGED_WHILE_ENCODING(
      "The file changed while its parity was being written; the parity was dropped."),
  GONE("The file was deleted or replaced by another one."),
  MANIFEST_TOO_LARGE("The record of the file's blocks does not fit the limits for xattrs."),
  TOO_FEW_NODES("The cluster has fewer live DataNodes than a stripe has units."),
  NOT_ENOUGH_SPACE(
      "There is not enough space for the parity beside the replicas that it is to replace."),
  QUOTA_EXCEEDED("A quota leaves no room for parity or replicas."),
  READ_ONLY("HDFS accepts no changes now: the NameNode is in safe mode or is not active."),
  REPLICA_UNPROVEN(
      "A DataNode did not confirm the content of its replica, so replication is not lowered."),
  OTHER_CHECKSUM(
      "HDFS has the file with another type of checksum than CRC32C (dfs.checksum.type), by which"
          + " alone the content of replicas can be confirmed. A copy of the file has the new type."),
  PARITY_CROWDED(
      "Parity units of one stripe lie on one DataNode and could not be moved apart. New parity is"
          + " dropped; committed parity is tried again before replication is lowered."),
  PARITY_GONE(
      "The parity of the file is gone or cannot be read, so its replication was raised again."),
  REPLICATION_CHANGED("A user changed the replication of the file; the daemon leaves it as it is."),
  HELD_BY_SNAPSHOT(
      "A snapshot holds blocks of the file: HDFS drops no replicas that the snapshot keeps, and"
          + " adds none to blocks that only the snapshot holds."),
  PARITY_NOT_WHOLE("The parity is not whole, so replication is not lowered.");

  private final String sentence;

  Reason(String sentence) {
    this.sentence = sentence;
  }

  /** What it means, for an operator who sees it for the first time. */
  public String sentence() {
    return sentence;
  }
}
