// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.policies.Policies;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** The nameservices in the files of Hadoop on the class path. */
public final class Nameservices {
  private Nameservices() {}

  /** Returns all that clients know; some may be routers, or belong to other clusters. */
  public static Set<String> known() {
    return new TreeSet<>(DFSUtilClient.getNameServiceIds(new HdfsConfiguration()));
  }

  /** Returns what is wrong with a name; empty if Hadoop's configuration knows it. */
  public static Optional<String> problem(String name) {
    Set<String> known = known();
    return known.contains(name)
        ? Optional.empty()
        : Optional.of(
            "Hadoop's configuration has no nameservice %s, only %s (dfs.nameservices)"
                .formatted(name, known));
  }

  /**
   * Returns why policies cannot be put in force: a pattern with a misspelt nameservice would be for
   * no file, and what it is to exclude would be raided.
   */
  public static Optional<String> problem(Policies policies) {
    Set<String> unknown = new TreeSet<>(policies.nameservices());
    unknown.removeAll(known());
    unknown.removeIf(name -> NameNodeAddress.configured().is(name));
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "has patterns for %s, which Hadoop's configuration does not know as nameservices"
                .formatted(String.join(", ", unknown)));
  }

  /**
   * Returns the configuration of clients.
   *
   * @param nameservice their HDFS; empty for the one of {@code fs.defaultFS}
   */
  static Configuration configuration(Optional<String> nameservice) {
    Configuration conf = new HdfsConfiguration();
    nameservice.ifPresent(name -> use(conf, name));
    return conf;
  }

  /**
   * Makes an HDFS the default one.
   *
   * @param name of the nameservice, or host and port of the NameNode
   */
  public static void use(Configuration conf, String name) {
    // Clients find a nameservice by its name only if it may fail over.
    boolean failsOver = conf.get("dfs.client.failover.proxy.provider." + name) != null;
    String address = conf.get("dfs.namenode.rpc-address." + name);
    FileSystem.setDefaultUri(conf, "hdfs://" + (failsOver || address == null ? name : address));
  }
}
