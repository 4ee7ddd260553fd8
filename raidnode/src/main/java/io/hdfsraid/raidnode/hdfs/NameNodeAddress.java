// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.recency.hdfs.ImpatientClient;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Checks that an address names exactly one nameservice. Inode ids, block keys and block ids belong
 * to one nameservice, so a router or a view over several is refused.
 */
public final class NameNodeAddress {
  private static final String HDFS = "hdfs";

  /** What Hadoop's {@code SaslRpcClient} says then. */
  private static final String NO_TICKET = "Client cannot authenticate via";

  private final URI uri;
  private final Configuration conf;

  public NameNodeAddress(URI uri, Configuration conf) {
    this.uri = uri;
    this.conf = new Configuration(conf);
  }

  /** Returns the address in the files of Hadoop on the class path. */
  public static NameNodeAddress configured() {
    Configuration conf = new HdfsConfiguration();
    return new NameNodeAddress(FileSystem.getDefaultUri(conf), conf);
  }

  /** Returns whether it is this nameservice, or the NameNode of this host and port. */
  public boolean is(String authority) {
    return authority.equals(uri.getAuthority());
  }

  /** Returns what is wrong with the address as written. Calls no server. */
  public Optional<String> problem() {
    if (HDFS.equals(uri.getScheme())) {
      return Optional.empty();
    }
    if (String.valueOf(uri.getScheme()).startsWith("viewfs")) {
      return Optional.of(
          "fs.defaultFS is %s, a view of several HDFS, and each of them needs a RaidNode of its own: set fs.defaultFS to one of %s"
              .formatted(uri, nameservices()));
    }
    return Optional.of(
        "fs.defaultFS is %s, which is no HDFS. Set HADOOP_CONF_DIR to the folder with the cluster's core-site.xml and hdfs-site.xml"
            .formatted(uri));
  }

  /**
   * Returns what is wrong with the server that answers. No operation tells that a server is a
   * router. But a router does not support this operation, every NameNode does, and it changes
   * nothing.
   */
  public Optional<String> problem(ClientProtocol answering) throws IOException {
    try {
      answering.upgradeStatus();
      return Optional.empty();
    } catch (RemoteException e) {
      if (!e.getClassName().equals(UnsupportedOperationException.class.getName())) {
        throw e;
      }
      return Optional.of(
          "%s is a router: inodes and block keys belong to the nameservices behind it, and each of them needs a RaidNode of its own: set fs.defaultFS to one of %s"
              .formatted(uri, nameservices()));
    }
  }

  /** All but the one that the address itself is. */
  private Set<String> nameservices() {
    Set<String> found = new TreeSet<>();
    for (String nameservice : DFSUtilClient.getNameServiceIds(conf)) {
      found.add(HDFS + "://" + nameservice);
    }
    for (Map.Entry<String, String> entry : conf) {
      if (entry.getKey().startsWith("fs.viewfs.mounttable.") && entry.getKey().contains(".link")) {
        for (String target : entry.getValue().split(",", -1)) {
          URI linked = URI.create(target.strip());
          if (HDFS.equals(linked.getScheme())) {
            found.add(HDFS + "://" + linked.getAuthority());
          }
        }
      }
    }
    found.remove(HDFS + "://" + uri.getAuthority());
    return found.isEmpty() ? Set.of("the nameservices themselves") : found;
  }

  /**
   * Makes sure that a NameNode answers.
   *
   * @throws RefusedException if none answers, or lets itself be asked
   */
  public void requireAnswer() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(uri, ImpatientClient.configuration(conf))) {
      fs.getFileStatus(new Path("/"));
    } catch (IOException | IllegalArgumentException e) {
      throw unanswered(uri, e);
    }
  }

  static RefusedException unanswered(URI uri, Exception failure) {
    NameNodeTrouble trouble = NameNodeProbe.trouble(failure);
    if (trouble.silent()) {
      return new RefusedException(
          "The NameNode of %s does not answer: %s. Is it running, and is HADOOP_CONF_DIR the folder of this cluster?"
              .formatted(uri, trouble.why()));
    }
    return new RefusedException(
        trouble.why().contains(NO_TICKET)
            ? "The NameNode of %s asks for Kerberos, and there is no valid ticket here: run kinit"
                .formatted(uri)
            : "The NameNode of %s cannot be asked: %s".formatted(uri, trouble.why()));
  }
}
