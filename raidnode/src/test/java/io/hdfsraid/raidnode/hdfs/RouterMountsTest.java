// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RouterMountsTest {
  private static final String MOUNTED =
      """
      {"beans": [{
        "Namenodes": "{\\"ns1-nn1\\": {\\"nameserviceId\\": \\"ns1\\", \\"blockPoolId\\": \\"BP-1\\"}}",
        "MountTable": "[{\\"sourcePath\\": \\"%s\\", \\"destinations\\": [\\"ns1->/warehouse\\"]}]"
      }]}
      """;

  private volatile String answer = MOUNTED.formatted("/data");
  private HttpServer router;

  @BeforeEach
  void listen() throws IOException {
    router = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    router.createContext(
        "/jmx",
        exchange -> {
          byte[] body = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(body.length == 0 ? 503 : 200, 0);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    router.start();
  }

  @AfterEach
  void stop() {
    router.stop(0);
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + router.getAddress().getPort());
  }

  private static RouterMounts read(URI... routers) {
    RouterMounts mounts =
        new RouterMounts(List.of(routers), "hdfs://ns1", "BP-1", new Configuration(false));
    mounts.read();
    return mounts;
  }

  @Test
  void aRouterThatIsDownIsPassedOver() {
    try (RouterMounts mounts = read(URI.create("http://127.0.0.1:1"), address())) {
      assertThat(mounts.clientPath("/warehouse/a")).contains("/data/a");
    }
  }

  @Test
  void soIsOneWithAnAddressThatThrowsSomethingElse() {
    try (RouterMounts mounts = read(URI.create("http://127.0.0.1:99999"), address())) {
      assertThat(mounts.clientPath("/warehouse/a")).contains("/data/a");
    }
  }

  @Test
  void theTableOfBeforeStaysWhileNoRouterAnswers() {
    try (RouterMounts mounts = read(address())) {
      answer = "";
      mounts.read();
      assertThat(mounts.clientPath("/warehouse/a")).contains("/data/a");
      answer = MOUNTED.formatted("/other");
      mounts.read();
      assertThat(mounts.clientPath("/warehouse/a")).contains("/other/a");
    }
  }
}
