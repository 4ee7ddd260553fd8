// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.contract;

import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractContractBulkDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCopyFromLocalTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractLeaseRecoveryTest;
import org.apache.hadoop.fs.contract.AbstractContractMkdirTest;
import org.apache.hadoop.fs.contract.AbstractContractMultipartUploaderTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractPathHandleTest;
import org.apache.hadoop.fs.contract.AbstractContractRenameTest;
import org.apache.hadoop.fs.contract.AbstractContractSafeModeTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractSetTimesTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Hadoop's contract tests on a real HDFS. Classes that cannot be told apart from those of plain
 * HDFS are {@link HealthyContractTest}; the others damage each file right before it is opened.
 */
@ExtendWith(RealHdfs.class)
@Tag("full")
abstract class ContractSuite {
  static final String ROOT = "/.raid-of-contracts";

  /** Small, so that files have blocks that are lost and blocks that are not. */
  private static final int BLOCK = 8 << 10;

  private static final AtomicLong REBUILT = new AtomicLong();

  private final EmbeddedHdfs hdfs;
  private final Optional<String> codec;
  private DamagedFileSystem fileSystem;
  private Optional<Damage> damage = Optional.empty();

  /**
   * @param codec of the damaged files; empty if nothing is damaged
   */
  ContractSuite(EmbeddedHdfs hdfs, Optional<String> codec) {
    this.hdfs = hdfs;
    this.codec = codec;
  }

  @BeforeAll
  static void nothingIsRebuiltYet() {
    REBUILT.set(0);
  }

  /** Returns how many bytes the tests of this class have read through losses so far. */
  static long rebuilt() {
    return REBUILT.get();
  }

  @BeforeEach
  void open() throws IOException {
    if (codec.isPresent()) {
      damage = Optional.of(new Damage(hdfs, ROOT, codec.get()));
    }
    DamagedFileSystem.damage = damage.orElse(null);
    fileSystem = (DamagedFileSystem) FileSystem.newInstance(hdfs.uri(), configuration());
  }

  @AfterEach
  void close() throws IOException {
    REBUILT.addAndGet(fileSystem.degradedReads().bytes());
    fileSystem.close();
    DamagedFileSystem.damage = null;
    damage.ifPresent(Damage::close);
  }

  private Configuration configuration() {
    Configuration conf = new Configuration(hdfs.configuration());
    conf.setClass("fs.hdfs.impl", DamagedFileSystem.class, FileSystem.class);
    conf.set("fs.AbstractFileSystem.hdfs.impl", DamagedFs.class.getName());
    conf.set("raid.root", ROOT);
    conf.setInt("dfs.replication", 1);
    conf.setInt("dfs.blocksize", BLOCK);
    return conf;
  }

  private AbstractFSContract contract() {
    return new RaidContract(configuration(), fileSystem);
  }

  @Nested
  class Append extends AbstractContractAppendTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class BulkDelete extends AbstractContractBulkDeleteTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class Concat extends AbstractContractConcatTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class ContentSummary extends AbstractContractContentSummaryTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class CopyFromLocal extends AbstractContractCopyFromLocalTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class Create extends AbstractContractCreateTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class Delete extends AbstractContractDeleteTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class GetFileStatus extends AbstractContractGetFileStatusTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class LeaseRecovery extends AbstractContractLeaseRecoveryTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class Mkdir extends AbstractContractMkdirTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class MultipartUploader extends AbstractContractMultipartUploaderTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }

    @Override
    protected int partSizeInBytes() {
      return 1024;
    }

    @Override
    protected boolean finalizeConsumesUploadIdImmediately() {
      return true;
    }

    @Override
    protected boolean supportsConcurrentUploadsToSamePath() {
      return true;
    }
  }

  @Nested
  class Open extends AbstractContractOpenTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class PathHandle extends AbstractContractPathHandleTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class Rename extends AbstractContractRenameTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class SafeMode extends AbstractContractSafeModeTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class Seek extends AbstractContractSeekTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class SetTimes extends AbstractContractSetTimesTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class Unbuffer extends AbstractContractUnbufferTest {
    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class VectoredRead extends AbstractContractVectoredReadTest {
    VectoredRead(String bufferType) {
      super(bufferType);
    }

    @Override
    protected Configuration createConfiguration() {
      return configuration();
    }

    @Override
    protected AbstractFSContract createContract(Configuration conf) {
      return contract();
    }
  }

  @Nested
  class PermissionsOfFileContext extends FileContextPermissionBase {
    @Override
    protected FileContextTestHelper getFileContextHelper() {
      return new FileContextTestHelper("/tmp/permissions");
    }

    @Override
    protected FileContext getFileContext() throws IOException {
      return FileContext.getFileContext(hdfs.uri(), configuration());
    }
  }

  @Nested
  class DirectoriesOfFileContext extends FileContextCreateMkdirBaseTest {
    @Override
    @BeforeEach
    public void setUp() throws Exception {
      fc = FileContext.getFileContext(hdfs.uri(), configuration());
      super.setUp();
    }

    @Override
    protected FileContextTestHelper createFileContextHelper() {
      return new FileContextTestHelper("/tmp/directories");
    }
  }

  @Nested
  class CopiesOfFileContext extends FileContextUtilBase {
    @Override
    @BeforeEach
    public void setUp() throws Exception {
      fc = FileContext.getFileContext(hdfs.uri(), configuration());
      super.setUp();
    }
  }

  @Nested
  class MainOperationsOfFileContext extends FileContextMainOperationsBaseTest {
    @Override
    @BeforeEach
    public void setUp() throws Exception {
      fc = FileContext.getFileContext(hdfs.uri(), configuration());
      super.setUp();
    }

    @Override
    protected FileContextTestHelper createFileContextHelper() {
      return new FileContextTestHelper("/tmp/contexts");
    }

    @Override
    protected Path getDefaultWorkingDirectory() {
      return fc.makeQualified(new Path("/user/" + user()));
    }

    private String user() {
      try {
        return UserGroupInformation.getCurrentUser().getShortUserName();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    protected boolean listCorruptedBlocksSupported() {
      return true;
    }
  }
}
