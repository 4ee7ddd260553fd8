package io.hdfsraid.tests.contract;

import io.hdfsraid.embedded.EmbeddedHdfs;
import java.util.Optional;

/** Each file is raided with rs-6-3, and a block of each stripe is gone. */
class DegradedContractTest extends ContractSuite {
  DegradedContractTest(EmbeddedHdfs hdfs) {
    super(hdfs, Optional.of("rs-6-3"));
  }
}
