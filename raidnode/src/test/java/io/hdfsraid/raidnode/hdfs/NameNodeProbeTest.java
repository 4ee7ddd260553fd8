// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class NameNodeProbeTest {
  private static NameNodeTrouble of(IOException cause) {
    return NameNodeProbe.trouble(new IOException("advice, and a link", cause));
  }

  @Test
  void anOutageIsSaidWithoutNamesOfClasses() {
    assertThat(of(new ConnectException("Connection refused\nmore")))
        .isEqualTo(NameNodeTrouble.silence("Connection refused"));
    assertThat(of(new SocketTimeoutException("30000 millis timeout ... ch : java.nio.channels")))
        .isEqualTo(NameNodeTrouble.silence("no answer in time"));
    assertThat(of(new EOFException()))
        .isEqualTo(NameNodeTrouble.silence("the connection was closed"));
    assertThat(of(new UnknownHostException("nn1")))
        .isEqualTo(NameNodeTrouble.silence("the name of its host is unknown here"));
  }

  @Test
  void aRefusalIsNoSilence() {
    assertThat(of(new IOException("Operation category READ is not supported in state standby")))
        .isEqualTo(
            NameNodeTrouble.refusal("Operation category READ is not supported in state standby"));
  }
}
