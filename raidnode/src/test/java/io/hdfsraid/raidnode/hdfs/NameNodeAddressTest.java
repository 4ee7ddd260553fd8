// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class NameNodeAddressTest {
  private final Configuration conf = new Configuration();

  NameNodeAddressTest() {
    conf.set("dfs.nameservices", "ns-fed,ns1,ns2");
  }

  /** Routers are not on the class path: this one refuses what a router refuses, in its words. */
  private static ClientProtocol refusing(String exception, String message) {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("upgradeStatus");
              throw new RemoteException(exception, message);
            });
  }

  @Test
  void aRouterIsKnownByWhatItDoesNotSupportAndTheNameservicesBehindItAreNamed() throws IOException {
    NameNodeAddress address = new NameNodeAddress(URI.create("hdfs://ns-fed"), conf);

    assertThat(address.problem()).as("as it is written").isEmpty();
    assertThat(
            address.problem(
                refusing(
                    "java.lang.UnsupportedOperationException",
                    "Operation \"upgradeStatus\" is not supported")))
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .contains("hdfs://ns-fed is a router")
                    .contains("one of [hdfs://ns1, hdfs://ns2]"));
  }

  @Test
  void anyOtherRefusalSaysNothingAboutRouters() {
    assertThatThrownBy(
            () ->
                new NameNodeAddress(URI.create("hdfs://ns1"), conf)
                    .problem(refusing("org.apache.hadoop.ipc.StandbyException", "standby")))
        .isInstanceOf(RemoteException.class);
  }

  @Test
  void whatIsNoHdfsIsSaid() {
    assertThat(new NameNodeAddress(URI.create("file:///"), conf).problem())
        .hasValueSatisfying(problem -> assertThat(problem).contains("which is no HDFS"));
    assertThat(new NameNodeAddress(URI.create("viewfs://all/"), conf).problem())
        .hasValueSatisfying(
            problem -> assertThat(problem).contains("[hdfs://ns-fed, hdfs://ns1, hdfs://ns2]"));
  }

  @Test
  void whyNobodyAnswersIsToldApart() {
    URI uri = URI.create("hdfs://nn1:8020");
    assertThat(NameNodeAddress.unanswered(uri, new ConnectException("Connection refused")))
        .hasMessageStartingWith("The NameNode of hdfs://nn1:8020 does not answer: Connection refu");
    assertThat(
            NameNodeAddress.unanswered(
                uri,
                new IOException(
                    "DestHost:destPort nn1:8020 , LocalHost",
                    new AccessControlException(
                        "Client cannot authenticate via:[TOKEN, KERBEROS]"))))
        .hasMessageEndingWith("asks for Kerberos, and there is no valid ticket here: run kinit");
    assertThat(NameNodeAddress.unanswered(uri, new IOException("state standby")))
        .hasMessage("The NameNode of hdfs://nn1:8020 cannot be asked: state standby");
  }
}
