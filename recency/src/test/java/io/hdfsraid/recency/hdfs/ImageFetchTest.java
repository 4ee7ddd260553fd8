// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hdfsraid.recency.ImageOrigin;
import io.hdfsraid.recency.fsimage.ImageDigest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a NameNode may send instead of an image, or of a part of it. */
class ImageFetchTest {
  private static final String NAME = "fsimage_0000000000000000042";
  private static final ImageFetch.Progress QUIET = (latest, received, all) -> {};

  @TempDir Path directory;
  private final byte[] image = new byte[3_000_000];
  private final List<Answer> answers = new ArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer server;

  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(image);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/imagetransfer",
        exchange -> {
          assertThat(exchange.getRequestURI()).hasQuery("getimage=1&txid=latest");
          try (exchange) {
            int number = asked.getAndIncrement();
            answers.get(Math.min(number, answers.size() - 1)).to(exchange);
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private ImageFetch fetch() {
    Configuration conf = new Configuration();
    conf.set(
        "dfs.namenode.http-address",
        "%s:%d".formatted(server.getAddress().getHostString(), server.getAddress().getPort()));
    return new ImageFetch(URI.create("hdfs://localhost:1"), conf);
  }

  private Answer send(int bytes) {
    return exchange -> send(exchange, NAME, sum(), bytes);
  }

  private void send(HttpExchange exchange, String name, String sum, int bytes) throws IOException {
    exchange.getResponseHeaders().set("X-Image-Edits-Name", name);
    exchange.getResponseHeaders().set("X-MD5-Digest", sum);
    exchange.sendResponseHeaders(200, image.length);
    OutputStream body = exchange.getResponseBody();
    body.write(image, 0, bytes);
    body.flush();
  }

  private String sum() {
    MessageDigest digester = ImageDigest.digester();
    digester.update(image);
    return ImageDigest.of(digester).hex();
  }

  private void assertNothingIsLeft() {
    assertThat(directory.toFile().list()).isEmpty();
  }

  @Test
  void aWholeImageHasItsNameItsSumAndHasBeenToldOf() throws IOException {
    answers.add(send(image.length));
    Files.createFile(directory.resolve("fsimage_0000000000000000041.part"));
    List<Long> told = new ArrayList<>();
    long[] sum = new long[1];
    ImageFetch.Fetched fetched =
        fetch()
            .fetch(
                directory,
                ImageOrigin.ANY,
                (latest, received, all) -> {
                  assertThat(all).isEqualTo(image.length);
                  sum[0] += latest;
                  assertThat(received).isEqualTo(sum[0]);
                  told.add(received);
                });
    assertThat(fetched.file()).isEqualTo(directory.resolve(NAME)).hasBinaryContent(image);
    assertThat(directory.resolve(NAME + ".md5")).content().isEqualTo(sum() + " *" + NAME + "\n");
    assertThat(directory.toFile().list()).as("no remains").hasSize(2);
    assertThat(told).hasSizeGreaterThan(10).endsWith((long) image.length);
  }

  @Test
  void aTransferThatBreaksIsBegunAnew() throws IOException {
    answers.add(send(image.length / 2));
    answers.add(send(image.length));
    assertThat(fetch().fetch(directory, ImageOrigin.ANY, QUIET).file()).hasBinaryContent(image);
    assertThat(asked).hasValue(2);
  }

  @Test
  void halfAnImageIsNeverTakenForAWholeOne() {
    answers.add(send(image.length / 2));
    assertThatThrownBy(() -> fetch().fetch(directory, ImageOrigin.ANY, QUIET))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No NameNode of hdfs://localhost:1 sent its image")
        .hasMessageContaining(String.valueOf(server.getAddress().getPort()));
    assertThat(asked).hasValue(2);
    assertNothingIsLeft();
  }

  @Test
  void anImageThatIsNotWhatWasSentIsRefused() {
    answers.add(exchange -> send(exchange, NAME, "0".repeat(32), image.length));
    assertThatThrownBy(() -> fetch().fetch(directory, ImageOrigin.ANY, QUIET))
        .hasMessageContaining("came with the MD5 sum " + sum())
        .hasMessageContaining("0".repeat(32));
    assertNothingIsLeft();
  }

  @Test
  void whatIsNotNamedLikeAnImageIsNotWritten() {
    answers.add(exchange -> send(exchange, "../fsimage_1", sum(), image.length));
    assertThatThrownBy(() -> fetch().fetch(directory, ImageOrigin.ANY, QUIET))
        .hasMessageContaining("something named '../fsimage_1'");
    assertNothingIsLeft();
  }

  @Test
  void aRefusalIsToldInTheNameNodesOwnWords() {
    answers.add(exchange -> exchange.sendResponseHeaders(403, -1));
    assertThatThrownBy(() -> fetch().fetch(directory, ImageOrigin.ANY, QUIET))
        .hasMessageContaining("answers 403 Forbidden");
    assertNothingIsLeft();
  }

  @Test
  void whatDoesNotFitOnTheDiskIsNotBegunWith() {
    long length = Long.MAX_VALUE / 2;
    answers.add(
        exchange -> {
          exchange.getResponseHeaders().set("X-Image-Edits-Name", NAME);
          exchange.sendResponseHeaders(200, length);
          exchange.getResponseBody().write(image, 0, 1);
          exchange.getResponseBody().flush(); // from Java 25 on the headers wait for it
        });
    assertThatThrownBy(() -> fetch().fetch(directory, ImageOrigin.ANY, QUIET))
        .hasMessageContaining(
            "its image has %d bytes, and %s has room for".formatted(length, directory));
    assertNothingIsLeft();
  }

  @Test
  void whoIsInterruptedDoesNotTryAgain() {
    answers.add(send(image.length));
    ImageFetch.Progress interrupted =
        (latest, received, all) -> {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("enough");
        };
    assertThatThrownBy(() -> fetch().fetch(directory, ImageOrigin.ANY, interrupted))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessage("enough");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(asked).hasValue(1);
    assertNothingIsLeft();
  }
}
