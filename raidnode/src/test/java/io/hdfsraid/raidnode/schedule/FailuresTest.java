// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  @Test
  void aFailureOfTheNameNodeIsItsFirstLineWithoutItsClass() {
    IOException remote =
        new RemoteException(
            "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
            "org.apache.hadoop.hdfs.server.namenode.SafeModeException: Name node is in safe mode.\n"
                + "\tat org.apache.hadoop.hdfs.server.namenode.FSNamesystem.newSafemodeException");

    assertThat(Failures.words(remote)).isEqualTo("Name node is in safe mode.");
    assertThat(Failures.words(new UncheckedIOException(remote)))
        .isEqualTo("Name node is in safe mode.");
    assertThat(Failures.words(new IOException("/a: open"))).isEqualTo("/a: open");
  }

  @Test
  void aBugIsLeftToTheLog() {
    assertThat(Failures.words(new IllegalStateException("index -1 of 5")))
        .contains("its log", "IllegalStateException")
        .doesNotContain("index");
    assertThat(Failures.words(new EOFException())).contains("without a message", "EOFException");
  }

  @Test
  void aTimeoutIsAFailureAndNoInterrupt() {
    assertThat(Failures.isInterrupt(new SocketTimeoutException("60 s"))).isFalse();
    assertThat(Failures.isInterrupt(new ConnectTimeoutException("20 s"))).isFalse();
    IOException stalled = new SocketTimeoutException("no byte for 10 s");
    stalled.initCause(new InterruptedIOException("the read that was given up"));
    assertThat(Failures.isInterrupt(new IOException(stalled))).isFalse();
    assertThat(Failures.isInterrupt(new InterruptedIOException("cancelled"))).isTrue();
    assertThat(Failures.isInterrupt(new IOException(new InterruptedException()))).isTrue();
    assertThat(Failures.isInterrupt(new IOException("closed"))).isFalse();
  }
}
