// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Reads the pages of a NameNode or a DataNode: the settings that it runs with at {@code /conf}, and
 * at {@code /jmx} the versions that the protocols of older NameNodes do not tell.
 */
public final class HdfsPages {
  /** Short, because there may be thousands of nodes to ask. */
  private static final int TIMEOUT_MILLIS = 5_000;

  private final ObjectMapper json = new ObjectMapper();
  private final URLConnectionFactory connections;

  public HdfsPages(Configuration conf) {
    this.connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MILLIS, TIMEOUT_MILLIS, conf);
  }

  /** Returns all settings of the server. */
  public Map<String, String> all(URI server) throws IOException {
    Map<String, String> settings = new HashMap<>();
    for (JsonNode property : ask(server + "/conf").body().path("properties")) {
      settings.put(property.path("key").asText(), property.path("value").asText());
    }
    if (settings.isEmpty()) {
      throw new IOException(server + "/conf shows no settings");
    }
    return settings;
  }

  /**
   * One setting.
   *
   * @param at the time of the answer by the clock of the server; empty if the answer has none
   */
  public record Shown(String value, Optional<Instant> at) {}

  /** Returns the address of the active NameNode's pages. */
  public static URI ofActive(DistributedFileSystem fs) throws IOException {
    return DFSUtil.getInfoServer(
        ActiveNameNode.of(fs), fs.getConf(), DFSUtil.getHttpClientScheme(fs.getConf()));
  }

  /** Returns one setting of the server. */
  public Shown one(URI server, String key) throws IOException {
    return find(server, key)
        .orElseThrow(() -> new IOException("%s/conf does not show %s".formatted(server, key)));
  }

  /** Returns one setting of the server; empty if it is not set and has no default. */
  public Optional<Shown> find(URI server, String key) throws IOException {
    Answer answer;
    try {
      answer = ask(server + "/conf?name=" + key);
    } catch (FileNotFoundException e) { // HDFS's ConfServlet answers 404
      return Optional.empty();
    }
    JsonNode property = answer.body().path("property");
    return property.has("value")
        ? Optional.of(new Shown(property.path("value").asText(), answer.at()))
        : Optional.empty();
  }

  /** Returns the versions of the live DataNodes of a NameNode, with how many have each. */
  public Map<String, Integer> dataNodeVersions(URI nameNode) throws IOException {
    String page = nameNode + "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo";
    Map<String, Integer> versions = new TreeMap<>();
    for (JsonNode version : ask(page).body().path("beans").path(0).path("DistinctVersions")) {
      versions.put(version.path("key").asText(), version.path("value").asInt());
    }
    return versions;
  }

  /**
   * SPNEGO takes the ticket of whom this thread acts as. A keytab gives no thread one by itself.
   */
  private HttpURLConnection connect(URL url) throws IOException {
    return SecurityUtil.doAsCurrentUser(
        () -> {
          try {
            return (HttpURLConnection)
                connections.openConnection(url, UserGroupInformation.isSecurityEnabled());
          } catch (AuthenticationException e) {
            throw new IOException(url + " refused us", e);
          }
        });
  }

  private record Answer(JsonNode body, Optional<Instant> at) {}

  private Answer ask(String address) throws IOException {
    URL url = URI.create(address).toURL();
    HttpURLConnection connection = connect(url);
    // The server resolves ${variables} in JSON. In XML it shows the text of its files.
    connection.setRequestProperty("Accept", "application/json");
    try (InputStream answer = connection.getInputStream()) {
      long date = connection.getDate();
      return new Answer(
          json.readTree(answer),
          date == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(date)));
    } finally {
      connection.disconnect();
    }
  }
}
