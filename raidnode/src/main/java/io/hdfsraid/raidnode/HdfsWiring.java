package io.hdfsraid.raidnode;

import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.metrics.RaidMetrics;
import java.time.Clock;

/** The daemon for the HDFS that the Hadoop configuration on the class path names. */
final class HdfsWiring implements Wiring {
  @Override
  public Daemon wire(Settings settings, RaidMetrics metrics, Clock clock, Opened opened) {
    throw new UnsupportedOperationException("the pipelines are not plugged in yet");
  }
}
