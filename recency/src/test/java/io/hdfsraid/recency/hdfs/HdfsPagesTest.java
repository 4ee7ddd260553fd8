// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HdfsPagesTest {
  private static final String PRECISION = "dfs.namenode.accesstime.precision";

  private final Configuration settings = new Configuration(false);
  private HttpServer server;

  /** Answers as HDFS's {@code ConfServlet} does, by the same two methods of Configuration. */
  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/conf", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void variablesAreResolvedAsTheServerResolvesThem() throws IOException {
    settings.set("our.precision", "0");
    settings.set(PRECISION, "${our.precision}");
    HdfsPages web = new HdfsPages(new Configuration(false));
    URI address = URI.create("http://localhost:" + server.getAddress().getPort());

    assertThat(web.one(address, PRECISION).value()).isEqualTo("0");
    assertThat(web.all(address)).containsEntry(PRECISION, "0");
  }

  private void answer(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getQuery();
    String name = query == null ? null : query.substring("name=".length());
    StringWriter page = new StringWriter();
    if ("application/json".equals(exchange.getRequestHeaders().getFirst("Accept"))) {
      Configuration.dumpConfiguration(settings, name, page);
    } else {
      settings.writeXml(name, page, settings);
    }
    byte[] bytes = page.toString().getBytes(UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
