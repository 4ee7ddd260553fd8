// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import javax.security.auth.login.LoginException;
import org.junit.jupiter.api.Test;

class KerberosLoginTest {

  @Test
  void aKdcThatDoesNotAnswerIsWaitedForHoweverJavaSaysSo() {
    assertThat(KerberosLogin.isKdcAway(login(new ConnectException("Connection refused")))).isTrue();
    assertThat(KerberosLogin.isKdcAway(login(new SocketTimeoutException("timed out")))).isTrue();
    assertThat(KerberosLogin.isKdcAway(login(new IOException("Cannot get a KDC reply")))).isTrue();
  }

  @Test
  void aKdcThatRefusesIsNot() {
    assertThat(KerberosLogin.isKdcAway(login(new IOException("Checksum failed")))).isFalse();
    assertThat(KerberosLogin.isKdcAway(login(new IOException((String) null)))).isFalse();
  }

  /** Returns the failure of a login, as Hadoop and Java wrap its cause. */
  private static IOException login(Exception cause) {
    LoginException failure = new LoginException("Login failed");
    failure.initCause(cause);
    return new IOException("failure to login", failure);
  }
}
