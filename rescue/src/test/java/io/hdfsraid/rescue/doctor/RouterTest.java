// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.ha.AbstractNNFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In front of a router, which is no NameNode, nobody begins to work. */
class RouterTest {
  private static final Set<String> CALLED = new ConcurrentSkipListSet<>();
  private static final URI ROUTER = URI.create("hdfs://ns-fed");

  private final Configuration conf = new Configuration();

  /**
   * Routers are not on the class path. This one answers what is asked of every HDFS first, and
   * refuses all else as a router refuses what it cannot do.
   */
  public static final class Router<T> extends AbstractNNFailoverProxyProvider<T> {
    private final ProxyInfo<T> proxy;

    public Router(Configuration conf, URI uri, Class<T> protocol, HAProxyFactory<T> factory) {
      super(conf, uri, protocol, factory);
      proxy =
          new ProxyInfo<>(
              protocol.cast(
                  Proxy.newProxyInstance(
                      protocol.getClassLoader(),
                      new Class<?>[] {protocol},
                      (self, method, arguments) -> answer(method.getName()))),
              "router");
    }

    private static Object answer(String method) throws IOException {
      CALLED.add(method);
      if (method.equals("getFileInfo")) {
        return new HdfsFileStatus.Builder().isdir(true).build();
      }
      throw new RemoteException(
          UnsupportedOperationException.class.getName(),
          "Operation \"" + method + "\" is not supported");
    }

    @Override
    public ProxyInfo<T> getProxy() {
      return proxy;
    }

    @Override
    public void performFailover(T failed) {}

    @Override
    public boolean useLogicalURI() {
      return true;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void route() {
    CALLED.clear();
    conf.set("fs.defaultFS", ROUTER.toString());
    conf.set("dfs.nameservices", "ns-fed,ns1,ns2");
    conf.set("dfs.client.failover.proxy.provider.ns-fed", Router.class.getName());
  }

  @Test
  void noDaemonWorksOnARouterAndNothingIsChangedThere() {
    ParitySettings settings =
        new ParitySettings(ParitySettings.DEFAULT_ROOT, ParitySettings.AccessRule.INHERIT);

    assertThatThrownBy(() -> HdfsCluster.connect(ROUTER, conf, settings, Clock.systemUTC()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("hdfs://ns-fed is a router")
        .hasMessageContaining("one of [hdfs://ns1, hdfs://ns2]");
    assertThat(CALLED).containsExactly("getFileInfo", "upgradeStatus");
  }

  @Test
  void theDoctorKnowsARouterAndAsksNothingElseOfIt() throws IOException {
    ClusterFacts facts = Survey.of(conf, "/.raid");

    assertThat(facts.wrongAddress().value().orElseThrow())
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .contains("hdfs://ns-fed is a router", "[hdfs://ns1, hdfs://ns2]"));
    assertThat(CALLED).containsExactly("getFileInfo", "upgradeStatus");
  }
}
