package io.hdfsraid.raidnode.raiding.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.raiding.Pipelines;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SupersedingParityTest {
  private static final GroupId GROUP = GroupId.fresh(new Random(3));

  /** Else a group would go to quarantine with the only parity of what was appended. */
  @Test
  void parityOfBlocksThatTheFileHadBeforeAnAppendDoesNotReplaceThatOfItsGroup() throws IOException {
    try (RaidBench bench = new RaidBench()) {
      Pipelines daemon = bench.daemon(StepListener.NONE);
      daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE);
      for (int i = 0; i < 6; i++) {
        daemon.fileReconciler().reconcile(bench.inode);
        bench.cluster.replicate();
      }
      SupersedingParity younger =
          new SupersedingParity(bench.access(bench.cluster), bench.memberships);
      assertThat(younger.ofOthers(GROUP, List.of(file(bench)))).containsExactly(bench.inode);

      bench.cluster.append(RaidBench.PATH, new byte[RaidBench.BLOCK]);

      assertThat(younger.ofOthers(GROUP, List.of(file(bench)))).isEmpty();
    }
  }

  private static LocatedFile file(RaidBench bench) {
    return bench.cluster.file(bench.inode).orElseThrow();
  }
}
