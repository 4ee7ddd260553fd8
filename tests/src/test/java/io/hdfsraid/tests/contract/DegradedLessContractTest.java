package io.hdfsraid.tests.contract;

import io.hdfsraid.embedded.EmbeddedHdfs;
import java.util.Optional;

/** Each file is raided with less-10-4, and a block of each stripe is gone. */
class DegradedLessContractTest extends ContractSuite {
  DegradedLessContractTest(EmbeddedHdfs hdfs) {
    super(hdfs, Optional.of("less-10-4"));
  }
}
