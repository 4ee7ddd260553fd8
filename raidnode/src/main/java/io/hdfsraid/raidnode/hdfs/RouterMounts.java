// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mount table of the routers in front of a nameservice, read by HTTP as their JMX shows it, and
 * again when it is asked for and older than a minute. Nobody waits for a router: until one has
 * answered, the table is the one before, at first empty. Safe for concurrent use.
 */
public final class RouterMounts {
  private static final Logger LOG = LoggerFactory.getLogger(RouterMounts.class);
  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  /** A table of 100,000 mount points takes about 40 MB. */
  private static final int MAX_BYTES = 64 << 20;

  private static final String STATE = "/jmx?qry=Hadoop:service=Router,name=FederationState";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<URI> routers;
  private final String blockPool;
  private final URLConnectionFactory connections;
  private final LoadingCache<String, MountTable> table;

  /** What has been said last: the same is not said every minute. */
  private volatile String said = "";

  /**
   * Creates a table that is empty at first.
   *
   * @param routers web addresses of the routers; the first that answers is believed
   * @param blockPool of the nameservice
   */
  RouterMounts(List<URI> routers, String blockPool, Configuration conf) {
    this(routers, blockPool, conf, RouterMounts::readInBackground, Ticker.systemTicker());
  }

  /**
   * Creates a table that is empty at first, for tests.
   *
   * @param reader reads tables, one at a time
   * @param ticker tells how old the table is
   */
  RouterMounts(
      List<URI> routers, String blockPool, Configuration conf, Executor reader, Ticker ticker) {
    this.routers = List.copyOf(routers);
    this.blockPool = blockPool;
    this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(conf);
    this.table =
        Caffeine.newBuilder()
            .refreshAfterWrite(MAX_AGE)
            .executor(reader)
            .ticker(ticker)
            .build(key -> read());
    table.put(blockPool, MountTable.EMPTY);
    if (!routers.isEmpty()) {
      table.refresh(blockPool);
    }
  }

  /** Holds up no end of the process. */
  private static void readInBackground(Runnable reading) {
    Thread thread = new Thread(reading, "mount-table");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the path by which clients of the routers find a file; empty if they do not. */
  public Optional<String> clientPath(String path) {
    return routers.isEmpty() ? Optional.empty() : table.get(blockPool).clientPath(path);
  }

  /** Asks one router after the other, and keeps the table of before if none answers. */
  private MountTable read() {
    StringBuilder failures = new StringBuilder();
    for (URI router : routers) {
      try {
        MountTable read = MountTable.of(federationState(router), blockPool);
        say("");
        return read;
      } catch (IOException e) {
        failures.append(failures.isEmpty() ? "" : "; ").append(router).append(": ").append(e);
      }
    }
    say(failures.toString());
    return table.asMap().getOrDefault(blockPool, MountTable.EMPTY);
  }

  private void say(String failures) {
    if (!failures.isEmpty() && !failures.equals(said)) {
      LOG.warn(
          "No router tells its mount table, so paths are shown as clients saw them last, or not at all: {}. Are hdfs.routers in raidnode.yml the web addresses of routers (dfs.federation.router.http-address)?",
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
}
