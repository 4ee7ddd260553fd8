// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.contract;

import io.hdfsraid.embedded.EmbeddedHdfs;
import java.util.Optional;

/** Nothing is raided: the file system is HDFS. */
class HealthyContractTest extends ContractSuite {
  HealthyContractTest(EmbeddedHdfs hdfs) {
    super(hdfs, Optional.empty());
  }
}
