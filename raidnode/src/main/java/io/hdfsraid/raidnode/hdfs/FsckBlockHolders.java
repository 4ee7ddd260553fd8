// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.recency.hdfs.ActiveNameNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Asks the NameNode's fsck servlet which file holds a block. This test is the only exact one,
 * because it covers snapshots. It needs superuser rights, as {@code hdfs fsck} does.
 */
public final class FsckBlockHolders implements BlockHolders {
  /** So many ids in one request: the URL stays short, and the lock is given back in between. */
  private static final int BATCH = 50;

  private final DistributedFileSystem fs;
  private final Configuration conf;
  private final CallPermits calls;
  private final URLConnectionFactory connections;

  /**
   * Asks the active NameNode of this HDFS.
   *
   * @param calls asked before each request: fsck holds the lock of the namespace while it looks
   */
  public FsckBlockHolders(DistributedFileSystem fs, Configuration conf, CallPermits calls) {
    this.fs = fs;
    this.calls = calls;
    this.conf = conf;
    this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(conf);
  }

  @Override
  public Map<Long, Holder> holders(Collection<Long> blockIds) throws IOException {
    Map<Long, Holder> holders = new HashMap<>();
    List<Long> ids = List.copyOf(blockIds);
    for (int from = 0; from < ids.size(); from += BATCH) {
      holders.putAll(holders(ids.subList(from, Math.min(ids.size(), from + BATCH))));
    }
    return holders;
  }

  /** A path with line breaks spoils an answer for its own block only. */
  private Map<Long, Holder> holders(List<Long> ids) throws IOException {
    String answer = ask(ids);
    try {
      return new FsckAnswer(answer).holders(ids);
    } catch (IOException e) {
      if (ids.size() == 1) {
        throw e;
      }
      Map<Long, Holder> holders = new HashMap<>();
      for (long id : ids) {
        holders.putAll(holders(List.of(id)));
      }
      return holders;
    }
  }

  /**
   * Asks the active NameNode. A NameNode that was deposed meanwhile does not know what the other
   * one has done since, and no line of its answer says so.
   */
  private String ask(List<Long> ids) throws IOException {
    calls.await(1);
    InetSocketAddress active = ActiveNameNode.of(fs);
    HttpURLConnection connection =
        connect(
            address(active, ids.stream().map(id -> "blk_" + id).collect(Collectors.joining(" "))));
    String answer;
    try (InputStream in = connection.getInputStream()) {
      answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IOException(
          "The web server of the NameNode, %s, does not tell which files hold blocks, so no parity can be retired (%s). Is dfs.namenode.http-address right, and reachable from here?"
              .formatted(connection.getURL().getAuthority(), e),
          e);
    } finally {
      connection.disconnect();
    }
    if (!ActiveNameNode.of(fs).equals(active)) {
      throw new IOException(
          "The NameNode at %s was asked which files hold blocks, and another one has become active since; its answer was dropped"
              .formatted(active));
    }
    return answer;
  }

  private HttpURLConnection connect(URL url) throws IOException {
    // SPNEGO takes the ticket of whom this thread acts as. A keytab gives no thread one by itself.
    return SecurityUtil.doAsCurrentUser(
        () -> {
          try {
            return (HttpURLConnection)
                connections.openConnection(url, UserGroupInformation.isSecurityEnabled());
          } catch (AuthenticationException e) {
            throw new IOException("The NameNode's fsck refused us at " + url, e);
          }
        });
  }

  private URL address(InetSocketAddress active, String blocks) throws IOException {
    URI server = DFSUtil.getInfoServer(active, conf, DFSUtil.getHttpClientScheme(conf));
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    return URI.create(
            server
                + "/fsck?ugi="
                + URLEncoder.encode(user, StandardCharsets.UTF_8)
                + "&blockId="
                + URLEncoder.encode(blocks, StandardCharsets.UTF_8))
        .toURL();
  }
}
