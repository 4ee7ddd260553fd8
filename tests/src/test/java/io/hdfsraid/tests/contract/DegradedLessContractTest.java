// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** Each file is raided with less-10-4, and a block of each stripe is gone. */
@Tag("full")
class DegradedLessContractTest extends ContractSuite {
  DegradedLessContractTest(EmbeddedHdfs hdfs) {
    super(hdfs, Optional.of("less-10-4"));
  }

  @AfterAll
  static void bytesWereRebuilt() {
    assertThat(rebuilt()).isPositive();
  }
}
