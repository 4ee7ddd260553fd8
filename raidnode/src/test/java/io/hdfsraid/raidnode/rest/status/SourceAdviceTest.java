// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.status.AccessSource;
import io.hdfsraid.raidapi.status.Problem;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceAdviceTest {
  @ParameterizedTest
  @CsvSource({
    "access-times, SOURCE_ACCESS-TIMES, dfs.namenode.accesstime.precision",
    "audit-log, SOURCE_AUDIT-LOG, recency.auditLogs",
    "inotify, SOURCE_INOTIFY, superuser",
    "image, SOURCE_IMAGE, log of the RaidNode",
    "listing, SOURCE_LISTING, log of the RaidNode"
  })
  void everyProblemOfASourceSaysWhatToDo(String source, String code, String advice) {
    Problem problem =
        SourceAdvice.problem(
            new AccessSource(source, Optional.empty(), Optional.empty(), "It is silent"));
    assertThat(problem.toString()).contains(code, "It is silent", advice);
  }
}
