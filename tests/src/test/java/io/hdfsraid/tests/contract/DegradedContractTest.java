// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;

/** Each file is raided with rs-6-3, and a block of each stripe is gone. */
class DegradedContractTest extends ContractSuite {
  DegradedContractTest(EmbeddedHdfs hdfs) {
    super(hdfs, Optional.of("rs-6-3"));
  }

  @AfterAll
  static void bytesWereRebuilt() {
    assertThat(rebuilt()).isPositive();
  }
}
