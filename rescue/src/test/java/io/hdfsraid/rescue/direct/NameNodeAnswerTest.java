// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.raidshell.command.ShellException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NameNodeAnswerTest {
  @Test
  @Tag("full")
  void aServerThatTakesTheConnectionAndSaysNothingIsGivenUpAfterTenSeconds() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI hdfs = URI.create("hdfs://127.0.0.1:" + silent.getLocalPort());

      Assertions.assertTimeout(
          Duration.ofSeconds(25),
          () ->
              assertThatThrownBy(() -> NameNodeAnswer.require(hdfs, new Configuration()))
                  .isInstanceOf(ShellException.class)
                  .hasMessage("No NameNode of " + hdfs + " has answered within 10 s"));
    }
  }

  @Test
  void aPortWhereNobodyListensIsSaidSo() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    URI hdfs = URI.create("hdfs://127.0.0.1:" + free);

    assertThatThrownBy(() -> NameNodeAnswer.require(hdfs, new Configuration()))
        .isInstanceOf(ShellException.class)
        .hasMessageContaining(hdfs.toString());
  }
}
