// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.recency.hdfs.ImpatientClient;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks whether the active NameNode answers and can change anything. Gives up within a minute, or
 * within some minutes if two NameNodes hang.
 */
public final class NameNodeProbe implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeProbe.class);

  private final DistributedFileSystem fs;

  /** Opens connections of its own, which give up sooner than those of the jobs. */
  public NameNodeProbe(URI hdfs, Configuration conf) throws IOException {
    this.fs =
        (DistributedFileSystem) FileSystem.newInstance(hdfs, ImpatientClient.configuration(conf));
  }

  /**
   * Returns the HDFS that the configuration files on the class path name.
   *
   * @param nameservice which of several; empty for the default one
   */
  public static URI configured(Optional<String> nameservice) {
    return FileSystem.getDefaultUri(Nameservices.configuration(nameservice));
  }

  /**
   * Returns why nothing can be changed there now. Empty if all is well, and if the configuration is
   * wrong, for then waiting would not help.
   *
   * @param nameservice which of several; empty for the default one
   */
  public static Optional<NameNodeTrouble> configuredTrouble(Optional<String> nameservice) {
    Configuration conf = Nameservices.configuration(nameservice);
    URI uri = FileSystem.getDefaultUri(conf);
    if (new NameNodeAddress(uri, conf).problem().isPresent()) {
      return Optional.empty();
    }
    try (NameNodeProbe probe = new NameNodeProbe(uri, conf)) {
      return probe.trouble();
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("No client of {} could be made", uri, e); // the attempt to connect says why
      return Optional.empty();
    }
  }

  /** Returns why nothing can be changed now; empty if the NameNode is well. */
  public Optional<NameNodeTrouble> trouble() {
    try {
      // The active one is asked: a standby knows only its own safe mode.
      return fs.setSafeMode(SafeModeAction.GET, true)
          ? Optional.of(NameNodeTrouble.refusal("it is in safe mode"))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of(trouble(e));
    }
  }

  /** Hadoop wraps what happened into advice and a link; only the innermost cause is short. */
  static NameNodeTrouble trouble(Exception failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String words =
        Optional.ofNullable(cause.getMessage())
            .flatMap(text -> text.lines().findFirst())
            .orElse(cause.getClass().getSimpleName());
    if (cause instanceof SocketTimeoutException) {
      return NameNodeTrouble.silence("no answer in time");
    }
    if (cause instanceof EOFException) {
      return NameNodeTrouble.silence("the connection was closed");
    }
    if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
      return NameNodeTrouble.silence("the name of its host is unknown here");
    }
    return cause instanceof SocketException
        ? NameNodeTrouble.silence(words)
        : NameNodeTrouble.refusal(words);
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
