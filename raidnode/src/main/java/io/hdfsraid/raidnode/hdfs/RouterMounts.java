// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mount table of the routers in front of a nameservice, read every minute by HTTP as their JMX
 * shows it. Until a router has answered, and while none does, the table is the one before, at first
 * an empty one. Safe for concurrent use.
 */
public final class RouterMounts implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RouterMounts.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  /** More than 100,000 mount points take. */
  private static final int MAX_BYTES = 64 << 20;

  private static final String STATE = "/jmx?qry=Hadoop:service=Router,name=FederationState";
  private static final ObjectMapper JSON = MountTable.mapper(MAX_BYTES);

  private final List<URI> routers;
  private final String nameservice;
  private final String blockPool;
  private final URLConnectionFactory connections;
  private final ScheduledExecutorService timer;
  private volatile MountTable table = MountTable.EMPTY;

  /** The failures that were logged last: the same are not logged every minute. */
  private String said = "";

  /** Reads nothing by itself. */
  RouterMounts(List<URI> routers, String nameservice, String blockPool, Configuration conf) {
    this.routers = List.copyOf(routers);
    this.nameservice = nameservice;
    this.blockPool = blockPool;
    this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(conf);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "mount-table");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Begins to read.
   *
   * @param routers web addresses of the routers; the first that answers is believed
   * @param nameservice how messages call it
   * @param blockPool by which routers know the nameservice
   */
  static RouterMounts follow(
      List<URI> routers, String nameservice, String blockPool, Configuration conf) {
    RouterMounts mounts = new RouterMounts(routers, nameservice, blockPool, conf);
    ScheduledFuture<?> unused =
        mounts.timer.scheduleWithFixedDelay(
            mounts::readOrTell, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return mounts;
  }

  /** Returns the path by which clients of the routers find a file; empty if they do not. */
  public Optional<String> clientPath(String path) {
    return table.clientPath(path);
  }

  /** Reads, and survives what even {@link #read} does not catch: it would end the schedule. */
  private void readOrTell() {
    try {
      read();
    } catch (Error e) {
      LOG.error(
          "Reading the mount table of {} from its routers has failed; paths of clients are shown as they were known before, and it is tried again in a minute",
          nameservice,
          e);
    }
  }

  /** Asks one router after the other, and keeps the table of before if none answers. */
  void read() {
    StringBuilder failures = new StringBuilder();
    for (URI router : routers) {
      try {
        table = MountTable.of(federationState(router), blockPool);
        if (!said.isEmpty()) {
          LOG.info("The router {} tells the mount table of {} again", router, nameservice);
        }
        said = "";
        return;
      } catch (IOException | RuntimeException e) { // or no other router would be asked any more
        failures.append(failures.isEmpty() ? "" : "; ").append(router).append(": ").append(e);
      }
    }
    say(failures.toString());
  }

  private void say(String failures) {
    if (!timer.isShutdown() && !failures.equals(said)) {
      LOG.warn(
          "No router tells by which paths clients find the files of {}, so they are shown as a router told them last, or not at all: {}. Look whether the routers run, and whether hdfs.routers in raidnode.yml are their web addresses (dfs.federation.router.http-address)",
          nameservice,
          failures);
    }
    said = failures;
  }

  private JsonNode federationState(URI router) throws IOException {
    HttpURLConnection connection = connect(router.resolve(STATE));
    try (InputStream in = connection.getInputStream()) {
      byte[] answer = in.readNBytes(MAX_BYTES);
      if (answer.length == MAX_BYTES) {
        throw new IOException("Its answer is longer than %d bytes".formatted(MAX_BYTES));
      }
      return JSON.readTree(answer).path("beans").path(0);
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection connect(URI address) throws IOException {
    return SecurityUtil.doAsCurrentUser(
        () -> {
          try {
            return (HttpURLConnection)
                connections.openConnection(
                    address.toURL(), UserGroupInformation.isSecurityEnabled());
          } catch (AuthenticationException e) {
            throw new IOException("The router refused us at " + address, e);
          }
        });
  }

  @Override
  public void close() {
    timer.shutdownNow();
    connections.destroy();
  }
}
