package io.hdfsraid.raidnode.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/** The settings that a NameNode or a DataNode works with, as it shows them at {@code /conf}. */
public final class WebSettings {
  /** A node that does not answer at once is not waited for: there may be thousands. */
  private static final int PATIENCE_MILLIS = 5_000;

  private final ObjectMapper json = new ObjectMapper();
  private final URLConnectionFactory connections;

  public WebSettings(Configuration conf) {
    this.connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(PATIENCE_MILLIS, PATIENCE_MILLIS, conf);
  }

  /** All of them. */
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
   * One of them.
   *
   * @param at when that was, by the clock of the server; empty where it does not say
   */
  public record Shown(String value, Optional<Instant> at) {}

  /** One of them. */
  public Shown one(URI server, String key) throws IOException {
    Answer answer = ask(server + "/conf?name=" + key);
    JsonNode property = answer.body().path("property");
    if (!property.has("value")) {
      throw new IOException("%s/conf does not show %s".formatted(server, key));
    }
    return new Shown(property.path("value").asText(), answer.at());
  }

  private record Answer(JsonNode body, Optional<Instant> at) {}

  private Answer ask(String address) throws IOException {
    URL url = URI.create(address).toURL();
    HttpURLConnection connection;
    try {
      connection =
          (HttpURLConnection)
              connections.openConnection(url, UserGroupInformation.isSecurityEnabled());
    } catch (AuthenticationException e) {
      throw new IOException(url + " refused us", e);
    }
    connection.setRequestProperty("Accept", "application/json"); // XML otherwise
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
