// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile String answer = MOUNTED.formatted("/data");
  private HttpServer router;

  @BeforeEach
  void listen() throws IOException {
    router = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    router.createContext(
        "/jmx",
        exchange -> {
          asked.incrementAndGet();
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

  /** A router is asked before a call returns. */
  private RouterMounts mounts(URI... routers) {
    return new RouterMounts(
        List.of(routers), "BP-1", new Configuration(false), Runnable::run, nanos::get);
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + router.getAddress().getPort());
  }

  private void after(Duration time, RouterMounts mounts) {
    nanos.addAndGet(time.toNanos());
    mounts.clientPath("/"); // the one that finds the table old may still get it
  }

  @Test
  void aRouterThatIsDownIsPassedOver() {
    RouterMounts mounts = mounts(URI.create("http://127.0.0.1:1"), address());
    assertThat(mounts.clientPath("/warehouse/a")).contains("/data/a");
  }

  @Test
  void aTableIsReadAgainAfterAMinuteAndNotBefore() {
    RouterMounts mounts = mounts(address());
    answer = MOUNTED.formatted("/other");
    after(Duration.ofSeconds(59), mounts);
    assertThat(mounts.clientPath("/warehouse/a")).contains("/data/a");
    after(Duration.ofSeconds(2), mounts);
    assertThat(mounts.clientPath("/warehouse/a")).contains("/other/a");
    assertThat(asked).hasValue(2);
  }

  @Test
  void theTableOfBeforeStaysWhileNoRouterAnswers() {
    RouterMounts mounts = mounts(address());
    answer = "";
    after(Duration.ofMinutes(2), mounts);
    assertThat(asked).hasValue(2);
    assertThat(mounts.clientPath("/warehouse/a")).contains("/data/a");
    answer = MOUNTED.formatted("/other");
    after(Duration.ofMinutes(2), mounts);
    assertThat(mounts.clientPath("/warehouse/a")).contains("/other/a");
  }

  @Test
  void withoutRoutersNobodyIsAsked() {
    assertThat(mounts().clientPath("/warehouse/a")).isEmpty();
    assertThat(asked).hasValue(0);
  }
}
