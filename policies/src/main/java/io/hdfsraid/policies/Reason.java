package io.hdfsraid.policies;

/**
 * Why a file is left as it is: the one vocabulary for policies, the raiding pipeline, the metrics
 * and the shell. A {@link Judge} gives those that follow from facts about the file; the pipeline
 * gives those that only show on the way, from {@link #MISSING_BLOCKS} on.
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
      "Access has not been recorded, without doubt, for as long as the policy looks back, so nobody"
          + " can say that the file is cold."),
  USED_TOO_OFTEN("The file was opened more often than the policy's accesses allow."),
  COOLING_DOWN(
      "The file got its replicas back lately, for being read again; it keeps them for the policy's"
          + " coolDown."),
  REPLICATION_AT_TARGET("The file has no more replicas than the policy would leave it."),
  IN_SNAPSHOT(
      "A snapshot holds the file, and keeps all replicas that it had, so nothing would be saved"
          + " before the snapshot is deleted."),
  LET_GO("An operator let the file go by hand; raiding it by hand lifts this."),
  WOULD_NOT_SAVE("Parity would cost about as much space as the replicas it replaces."),
  NO_COMPANY(
      "The file alone is too small for parity, and too few others of its directory could share it."),

  MISSING_BLOCKS("A block of the file is missing or corrupt: it must be whole to be raided."),
  CHANGED_WHILE_ENCODING("The file changed while its parity was made; the parity was dropped."),
  GONE("The file was deleted or replaced by another one."),
  MANIFEST_TOO_LARGE("The record of the file's blocks does not fit the limits for xattrs."),
  TOO_FEW_NODES("The cluster has fewer live DataNodes than a stripe has units."),
  NOT_ENOUGH_SPACE("There is no room for the parity beside the replicas it is to replace."),
  QUOTA_EXCEEDED("A quota leaves no room for parity or replicas."),
  READ_ONLY("HDFS takes no changes now: the NameNode is in safe mode, or not the active one."),
  NO_PERMISSION("HDFS does not let the daemon's user do what raiding needs."),
  VERIFICATION_FAILED("The parity written to HDFS is not the parity computed; it was dropped."),
  REPLICA_UNPROVEN(
      "A DataNode did not confirm the content of its replica, so replication is not lowered."),
  PARITY_CROWDED(
      "Parity units of one stripe lie on one DataNode: parity that was just written is dropped, and"
          + " committed parity is moved apart before replication is lowered."),
  PARITY_GONE(
      "The parity of the file is gone or cannot be read, so its replication was raised again."),
  REPLICATION_CHANGED("Somebody changed the replication of the file; it is left as it is."),
  HELD_BY_SNAPSHOT(
      "A snapshot holds blocks of the file: replicas that it keeps cannot be dropped, and those that"
          + " only it keeps cannot be added to."),
  PARITY_NOT_WHOLE("The parity is not whole, so replication is not lowered."),
  IO_FAILURE("Reading or writing failed; it will be tried again.");

  private final String sentence;

  Reason(String sentence) {
    this.sentence = sentence;
  }

  /** What it means, for an operator who sees it for the first time. */
  public String sentence() {
    return sentence;
  }
}
