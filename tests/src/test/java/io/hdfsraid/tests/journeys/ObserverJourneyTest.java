// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An active NameNode, and an observer that lags when it is told to. */
@Tag("full")
class ObserverJourneyTest {
  private static final ScheduledExecutorService catchingUp =
      Executors.newSingleThreadScheduledExecutor();
  private static volatile boolean lagging;
  private static Journey journey;

  @BeforeAll
  static void start() throws IOException {
    journey =
        new Journey(
            EmbeddedHdfs.builder()
                .dataNodes(6)
                .withNameNodePair()
                .set("dfs.ha.tail-edits.in-progress", "true"));
    journey.hdfs.standbyObserves();
    var unused =
        catchingUp.scheduleWithFixedDelay(
            () -> {
              if (!lagging) {
                catchUp();
              }
            },
            0,
            100,
            TimeUnit.MILLISECONDS);
  }

  @AfterAll
  static void stop() throws InterruptedException {
    catchingUp.shutdown();
    assertThat(catchingUp.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    journey.close();
  }

  private static void catchUp() {
    try {
      journey.hdfs.observerCatchesUp();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Configuration observing() {
    Configuration conf = journey.hdfs.configuration();
    conf.set(
        "dfs.client.failover.proxy.provider." + journey.hdfs.uri().getHost(),
        ObserverReadProxyProvider.class.getName());
    return conf;
  }

  @Test
  void whatTheDaemonDecidesByIsNeverWhatAnObserverStillBelieves() throws IOException {
    Path known = new Path("/known");
    journey.hdfs.fileSystem().mkdirs(known);
    try (DistributedFileSystem observed =
            (DistributedFileSystem) FileSystem.newInstance(journey.hdfs.uri(), observing());
        HdfsCluster cluster =
            HdfsCluster.connect(
                journey.hdfs.uri(), observing(), ParitySettings.defaults(), Clock.systemUTC())) {
      observed.getFileStatus(known);
      lagging = true;
      journey.load("/known/new", 1000);

      assertThat(new HdfsNamespace(observed).file("/known/new")).as("by an observer").isEmpty();
      assertThat(cluster.access().namespace().file("/known/new")).as("by the daemon").isPresent();
      assertThat(cluster.listing().exists("/known/new")).isTrue();
    } finally {
      lagging = false;
    }
  }

  @Test
  void aReaderOfRebuiltBytesAsksTheActiveHowFarItIsBeforeItBelievesThem() throws Exception {
    byte[] bytes = journey.load("/a/lost", 3 * Journey.BLOCK);
    journey.startDaemon(StepListener.NONE);
    long inode = journey.raid("/a/lost", "rs-3-2");
    journey.delete(journey.stripes(inode).get(0), 0);
    Configuration conf = observing();
    conf.set("fs.hdfs.impl", "io.hdfsraid.drfs.fs.DistributedRaidFileSystem");

    try (FileSystem drfs = FileSystem.newInstance(journey.hdfs.uri(), conf);
        FSDataInputStream in = drfs.open(new Path("/a/lost"))) {
      long before = msyncs();
      assertThat(in.readAllBytes()).isEqualTo(bytes);
      // One that every client of observers makes, and ours; NameNodes show counts some seconds old.
      Journey.until(() -> msyncs() > before + 1, () -> "more calls of msync than " + before);
    } finally {
      journey.stopDaemon();
    }
  }

  /** At all NameNodes of this process. */
  private static long msyncs() {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    long sum = 0;
    try {
      for (ObjectName port :
          beans.queryNames(
              new ObjectName("Hadoop:service=NameNode,name=RpcDetailedActivityForPort*"), null)) {
        sum += count(beans, port);
      }
    } catch (JMException e) {
      throw new AssertionError(e);
    }
    return sum;
  }

  /** A port at which nobody has called it has no such count. */
  private static long count(MBeanServer beans, ObjectName port) throws JMException {
    try {
      return ((Number) beans.getAttribute(port, "MsyncNumOps")).longValue();
    } catch (AttributeNotFoundException e) {
      return 0;
    }
  }
}
