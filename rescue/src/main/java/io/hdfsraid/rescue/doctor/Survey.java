// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.HdfsParityStore;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.hdfs.RootCheck;
import io.hdfsraid.raidnode.hdfs.NameNodeAddress;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.recency.hdfs.HdfsPages;
import io.hdfsraid.recency.hdfs.ImpatientClient;
import io.hdfsraid.rescue.direct.NameNodeAnswer;
import io.hdfsraid.rescue.doctor.ClusterFacts.Keys;
import io.hdfsraid.rescue.doctor.ClusterFacts.NameNode;
import io.hdfsraid.rescue.doctor.ClusterFacts.Pinning;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.NameNodeProxiesClient.ProxyAndInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.http.HttpConfig;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;

/** Asks a cluster for the facts that the {@link Doctor} needs. It changes nothing. */
final class Survey implements Closeable {
  private static final String PINNING = "dfs.datanode.block-pinning.enabled";

  /** DataNodes that are asked for their settings at most: enough to see that they differ. */
  private static final int MOST_ASKED = 100;

  private static final int ASKED_AT_ONCE = 16;

  private final URI uri;
  private final String root;
  private final NameNodeAddress address;
  private final Configuration conf;
  private final DistributedFileSystem fs;
  private final HdfsPages web;

  private Survey(URI uri, String root, NameNodeAddress address, DistributedFileSystem fs) {
    this.uri = uri;
    this.root = root;
    this.address = address;
    this.conf = fs.getConf();
    this.fs = fs;
    this.web = new HdfsPages(conf);
  }

  /**
   * All that can be found out.
   *
   * @param root of the parity
   * @throws ShellException when no NameNode answers
   */
  static ClusterFacts of(Configuration given, String root) throws IOException {
    URI uri = FileSystem.getDefaultUri(given);
    NameNodeAddress address = new NameNodeAddress(uri, given);
    Optional<String> problem = address.problem();
    if (problem.isPresent()) {
      return strangers(uri, root, problem.get());
    }
    Configuration conf = ImpatientClient.configuration(given);
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    NameNodeAnswer.require(uri, conf);
    try (Survey survey =
        new Survey(uri, root, address, (DistributedFileSystem) FileSystem.newInstance(uri, conf))) {
      return survey.facts();
    }
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }

  private ClusterFacts facts() throws IOException {
    Answer<Optional<String>> wrongAddress =
        Answer.to(() -> address.problem(fs.getClient().getNamenode()));
    Optional<String> problem = wrongAddress.value().orElse(Optional.empty());
    if (problem.isPresent()) {
      return strangers(uri, root, problem.get());
    }
    Answer<DatanodeInfo[]> dataNodes =
        Answer.to(() -> fs.getClient().datanodeReport(DatanodeReportType.LIVE));
    return new ClusterFacts(
        uri.toString(),
        UserGroupInformation.getCurrentUser().getShortUserName(),
        root,
        VersionInfo.getVersion(),
        wrongAddress,
        Answer.to(this::nameNodes),
        readsObservers(),
        Answer.to(fs::isInSafeMode),
        Answer.to(this::keys),
        Answer.to(this::settings),
        Answer.to(() -> new HdfsNamespace(fs).nodes()),
        map(dataNodes, this::versions),
        map(dataNodes, this::pinning),
        Answer.to(this::checkRoot),
        Answer.to(() -> OwnerFile.look(fs, root)),
        Answer.to(this::zones),
        Answer.to(this::snapshotted),
        Answer.to(() -> fs.getClient().getServerDefaults().getChecksumType().toString()),
        Answer.to(this::quotas));
  }

  private interface Reading<T, R> {
    R of(T value) throws IOException;
  }

  private static <T, R> Answer<R> map(Answer<T> answer, Reading<T, R> reading) {
    return answer.value().isPresent()
        ? Answer.to(() -> reading.of(answer.value().get()))
        : Answer.unknown(answer.unknownBecause());
  }

  /** Returns the facts of an address that is no NameNode: nothing else is asked. */
  private static ClusterFacts strangers(URI uri, String root, String problem) throws IOException {
    String why = "the address is wrong";
    return new ClusterFacts(
        uri.toString(),
        UserGroupInformation.getCurrentUser().getShortUserName(),
        root,
        VersionInfo.getVersion(),
        Answer.of(Optional.of(problem)),
        Answer.unknown(why),
        false,
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why),
        Answer.unknown(why));
  }

  private List<NameNode> nameNodes() throws IOException {
    if (!HAUtilClient.isLogicalUri(conf, uri)) {
      return List.of(new NameNode(uri.getAuthority(), "active")); // one alone says it has no state
    }
    List<NameNode> found = new ArrayList<>();
    for (ProxyAndInfo<ClientProtocol> one :
        HAUtil.getProxiesForAllNameNodesInNameservice(conf, uri.getHost(), ClientProtocol.class)) {
      String name = one.getAddress().getHostString() + ":" + one.getAddress().getPort();
      found.add(new NameNode(name, state(one.getProxy())));
      RPC.stopProxy(one.getProxy());
    }
    return found;
  }

  private static String state(ClientProtocol nameNode) {
    Answer<String> state =
        Answer.to(() -> nameNode.getHAServiceState().name().toLowerCase(Locale.ROOT));
    return state.value().orElse("does not answer (" + state.unknownBecause() + ")");
  }

  private boolean readsObservers() {
    return conf.getTrimmed("dfs.client.failover.proxy.provider." + uri.getHost(), "")
        .contains("ObserverRead");
  }

  private Keys keys() throws IOException {
    NamenodeProtocol nameNode =
        NameNodeProxies.createProxy(conf, uri, NamenodeProtocol.class).getProxy();
    try {
      ExportedBlockKeys keys = nameNode.getBlockKeys();
      return new Keys(
          nameNode.versionRequest().getSoftwareVersion(),
          keys != null && keys.isBlockTokenEnabled());
    } finally {
      RPC.stopProxy(nameNode);
    }
  }

  private Map<String, String> settings() throws IOException {
    URI page = HdfsPages.ofActive(fs);
    try {
      return web.all(page);
    } catch (IOException e) {
      throw new IOException(
          "the settings of the NameNode cannot be read at %s (%s): check dfs.namenode.%s-address in the hdfs-site.xml of HADOOP_CONF_DIR, and that this machine can reach that port"
              .formatted(page, e.getMessage(), page.getScheme()),
          e);
    }
  }

  /** Older NameNodes list DataNodes without their versions, and show these on their pages. */
  private Map<String, Integer> versions(DatanodeInfo[] dataNodes) throws IOException {
    Map<String, Integer> versions = new TreeMap<>();
    for (DatanodeInfo node : dataNodes) {
      if (node.getSoftwareVersion() == null || node.getSoftwareVersion().isBlank()) {
        return web.dataNodeVersions(HdfsPages.ofActive(fs));
      }
      versions.merge(node.getSoftwareVersion(), 1, Integer::sum);
    }
    return versions;
  }

  /** Asks a random sample of the DataNodes, the same one each time. */
  private Pinning pinning(DatanodeInfo[] dataNodes) throws IOException {
    List<DatanodeInfo> shuffled = new ArrayList<>(Arrays.asList(dataNodes));
    Collections.shuffle(shuffled, new Random(dataNodes.length));
    List<DatanodeInfo> asked = shuffled.stream().limit(MOST_ASKED).toList();
    int pinning = 0;
    int silent = 0;
    ExecutorService threads = Executors.newFixedThreadPool(ASKED_AT_ONCE);
    try {
      List<Future<Answer<String>>> answers = new ArrayList<>();
      for (DatanodeInfo node : asked) {
        answers.add(
            threads.submit(() -> Answer.to(() -> web.one(onTheWeb(node), PINNING).value())));
      }
      for (Future<Answer<String>> answer : answers) {
        Optional<String> value = answer.get().value();
        silent += value.isEmpty() ? 1 : 0;
        pinning += value.filter(Boolean::parseBoolean).isPresent() ? 1 : 0;
      }
    } catch (ExecutionException e) {
      throw new IOException("asking DataNodes for their settings failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("it was interrupted while DataNodes were asked", e);
    } finally {
      threads.shutdownNow();
    }
    return new Pinning(asked.size(), pinning, silent);
  }

  private URI onTheWeb(DatanodeInfo node) {
    boolean secure = DFSUtil.getHttpPolicy(conf) == HttpConfig.Policy.HTTPS_ONLY;
    return URI.create(
        secure ? "https://" + node.getInfoSecureAddr() : "http://" + node.getInfoAddr());
  }

  private RootCheck checkRoot() throws IOException {
    ParitySettings settings = new ParitySettings(root, ParitySettings.AccessRule.INHERIT);
    try (HdfsParityStore store = HdfsParityStore.open(uri, conf, settings)) {
      return store.checkRoot();
    }
  }

  private int zones() throws IOException {
    int zones = 0;
    for (RemoteIterator<EncryptionZone> all = fs.getClient().listEncryptionZones();
        all.hasNext();
        all.next()) {
      zones++;
    }
    return zones;
  }

  private List<String> snapshotted() throws IOException {
    SnapshottableDirectoryStatus[] all = fs.getClient().getSnapshottableDirListing();
    return all == null
        ? List.of()
        : Arrays.stream(all)
            .filter(status -> status.getSnapshotNumber() > 0)
            .map(status -> status.getFullPath().toUri().getPath())
            .toList();
  }

  private List<String> quotas() throws IOException {
    List<String> quotas = new ArrayList<>();
    for (Path at = new Path(root); at != null; at = at.getParent()) {
      if (fs.exists(at)) {
        QuotaUsage usage = fs.getQuotaUsage(at);
        if (usage.getSpaceQuota() >= 0) {
          quotas.add(
              "%s may hold %s and holds %s"
                  .formatted(
                      at.toUri().getPath(),
                      Screen.bytes(usage.getSpaceQuota()),
                      Screen.bytes(usage.getSpaceConsumed())));
        }
        // The root of all always has one, which is the largest number there is.
        if (usage.getQuota() >= 0 && usage.getQuota() != Long.MAX_VALUE) {
          quotas.add(
              "%s may hold %d files and directories and holds %d"
                  .formatted(
                      at.toUri().getPath(), usage.getQuota(), usage.getFileAndDirectoryCount()));
        }
      }
    }
    return quotas;
  }
}
