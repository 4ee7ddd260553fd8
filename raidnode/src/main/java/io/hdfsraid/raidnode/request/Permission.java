package io.hdfsraid.raidnode.request;

import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rounds.Intent;

/** Whether files may be put under parity now: not while all are let go, not even by hand. */
record Permission(Intent intent) {

  /**
   * @throws ApiFailure refused, when a withdrawal is under way or has come to its end
   */
  void require() {
    if (intent.gone().isPresent()) {
      throw ApiFailure.refused(
          "Nothing of HDFS-RAID is left on this cluster",
          "Restart the RaidNode to take the cluster up again.");
    }
    if (intent.withdrawal().isPresent()) {
      throw ApiFailure.refused(
          "Every file is being let go, so none is put under parity",
          "'raidshell resume --yes' ends that.");
    }
  }
}
