// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.SimpleServerFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.logging.common.ConsoleAppenderFactory;
import io.dropwizard.logging.common.DefaultLoggingFactory;
import io.dropwizard.logging.common.LoggingFactory;
import io.dropwizard.util.DataSize;
import io.hdfsraid.raidnode.traffic.Tuning;
import jakarta.validation.Valid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The content of {@code raidnode.yml}. A missing section gets its defaults. Dropwizard defines the
 * sections {@code server} and {@code logging}.
 */
public final class RaidNodeConfiguration extends Configuration {
  /**
   * Names of files may contain anything, also line breaks and what a terminal obeys: such
   * characters become question marks.
   */
  static final String LOG_FORMAT =
      "%-5p [%d{ISO8601,UTC}] %c{0}: "
          + "%replace(%replace(%m %kvp%replace(%X{request}){'^(.+)$',' request=$1'}){'[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]','?'}){' +$',''}%n"
          + "%replace(%dwREx){'[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029]','?'}";

  /** Libraries that log their start, or each try to reach a node that is away. */
  private static final Map<String, JsonNode> QUIET =
      Map.ofEntries(
          level("audit", "INFO"),
          level("io.dropwizard", "WARN"),
          level("org.eclipse.jetty", "WARN"),
          level("org.quartz", "WARN"),
          level("org.apache.hadoop", "WARN"),
          level("org.apache.hadoop.hdfs.DFSClient", "ERROR"),
          level("org.apache.hadoop.hdfs.DataStreamer", "ERROR"),
          level("org.apache.hadoop.hdfs.client.impl", "ERROR"),
          level("org.apache.hadoop.ipc.Client", "ERROR"),
          level("org.apache.hadoop.io.retry.RetryInvocationHandler", "ERROR"),
          level("org.apache.hadoop.security.UserGroupInformation", "ERROR"),
          level("org.apache.hadoop.util.NativeCodeLoader", "ERROR"));

  public static final int DEFAULT_PORT = 8090;
  public static final int DEFAULT_ADMIN_PORT = 8091;
  private static final String LOOPBACK = "127.0.0.1";

  private final PrincipalSettings hadoop;
  @Valid private final HdfsSettings hdfs;
  @Valid private final CatalogSettings catalog;

  /**
   * A path of HDFS has up to 8,000 characters of up to 3 bytes each in UTF-8, and 3 characters for
   * each byte in an address: 72,000 bytes. A cursor can have a path in it, too. A Kerberos ticket
   * takes up to 64 KiB, and 16 KiB are left for other headers.
   */
  public static final DataSize LONGEST_HEADERS = DataSize.kibibytes(224);

  @Valid private final RaidingSettings raiding;
  @Valid private final YarnSettings yarn;
  @Valid private final PlacementSettings placement;
  @Valid private final CodingSettings coding;
  @Valid private final RepairSettings repair;
  @Valid private final ScrubSettings scrub;
  @Valid private final ScheduleSettings schedule;
  @Valid private final RecencySettings recency;
  @Valid private final ApiSettings api;
  @Valid private final AuditSettings audit;
  @Valid private final StandbySettings standby;

  /** Creates a configuration. Each section may be null. */
  @JsonCreator
  public RaidNodeConfiguration(
      @JsonProperty("hadoop") PrincipalSettings hadoop,
      @JsonProperty("hdfs") HdfsSettings hdfs,
      @JsonProperty("catalog") CatalogSettings catalog,
      @JsonProperty("raiding") RaidingSettings raiding,
      @JsonProperty("yarn") YarnSettings yarn,
      @JsonProperty("placement") PlacementSettings placement,
      @JsonProperty("coding") CodingSettings coding,
      @JsonProperty("repair") RepairSettings repair,
      @JsonProperty("scrub") ScrubSettings scrub,
      @JsonProperty("schedule") ScheduleSettings schedule,
      @JsonProperty("recency") RecencySettings recency,
      @JsonProperty("api") ApiSettings api,
      @JsonProperty("audit") AuditSettings audit,
      @JsonProperty("standby") StandbySettings standby) {
    this.hadoop = requireNonNullElse(hadoop, PrincipalSettings.NONE);
    this.hdfs =
        requireNonNullElseGet(
            hdfs, () -> new HdfsSettings(null, null, null, Optional.empty(), null, null, null));
    this.catalog = requireNonNullElseGet(catalog, () -> new CatalogSettings(null, null, null));
    this.raiding =
        requireNonNullElseGet(
            raiding,
            () -> new RaidingSettings(null, null, null, null, null, null, null, null, null, null));
    this.yarn = requireNonNullElseGet(yarn, YarnSettings::defaults);
    this.placement =
        requireNonNullElseGet(
            placement, () -> new PlacementSettings(null, null, null, null, null, null));
    this.coding = requireNonNullElseGet(coding, () -> new CodingSettings(null));
    this.repair =
        requireNonNullElseGet(
            repair,
            () ->
                new RepairSettings(
                    null, null, null, null, null, null, null, null, null, null, null, null));
    this.scrub =
        requireNonNullElseGet(
            scrub, () -> new ScrubSettings(null, null, null, null, null, null, null));
    this.schedule =
        requireNonNullElseGet(schedule, () -> new ScheduleSettings(null, null, null, null, null));
    this.recency =
        requireNonNullElseGet(
            recency,
            () -> new RecencySettings(null, null, Optional.empty(), null, null, null, null, null));
    this.api =
        requireNonNullElseGet(api, () -> new ApiSettings(null, null, null, null, null, null, null));
    this.audit = requireNonNullElseGet(audit, AuditSettings::defaults);
    this.standby = requireNonNullElseGet(standby, StandbySettings::defaults);
    listenOn(DEFAULT_PORT, DEFAULT_ADMIN_PORT);
    setLoggingFactory(console());
  }

  /** Returns the log format of Dropwizard with the keys and values of each message added. */
  private static LoggingFactory console() {
    ConsoleAppenderFactory<ILoggingEvent> console = new ConsoleAppenderFactory<>();
    console.setLogFormat(LOG_FORMAT);
    DefaultLoggingFactory logging = new DefaultLoggingFactory();
    logging.setAppenders(List.of(console));
    logging.setLoggers(QUIET);
    return logging;
  }

  private static Map.Entry<String, JsonNode> level(String logger, String level) {
    return Map.entry(logger, TextNode.valueOf(level));
  }

  /**
   * Returns a configuration that listens on these ports of the loopback address; 0 takes any free
   * port.
   */
  public RaidNodeConfiguration listenOn(int port, int adminPort) {
    DefaultServerFactory server = new DefaultServerFactory();
    server.setApplicationConnectors(List.of(loopback(port)));
    server.setAdminConnectors(List.of(loopback(adminPort)));
    setServerFactory(server);
    return this;
  }

  private static ConnectorFactory loopback(int port) {
    HttpConnectorFactory connector = new HttpConnectorFactory();
    connector.setBindHost(LOOPBACK);
    connector.setPort(port);
    return connector;
  }

  /**
   * Lets requests be as long as the longest path of HDFS needs, whatever the connectors say.
   * Dropwizard's default of 8 KiB is too short.
   */
  public void acceptLongPaths() {
    for (HttpConnectorFactory connector : httpConnectors()) {
      if (connector.getMaxRequestHeaderSize().toBytes() < LONGEST_HEADERS.toBytes()) {
        connector.setMaxRequestHeaderSize(LONGEST_HEADERS);
      }
    }
  }

  /** Returns where the daemon listens by TCP: first for its API, then for monitoring. */
  public List<HttpConnectorFactory> httpConnectors() {
    List<ConnectorFactory> all = new ArrayList<>();
    if (getServerFactory() instanceof DefaultServerFactory two) {
      all.addAll(two.getApplicationConnectors());
      all.addAll(two.getAdminConnectors());
    } else if (getServerFactory() instanceof SimpleServerFactory one) {
      all.add(one.getConnector());
    }
    return all.stream()
        .filter(HttpConnectorFactory.class::isInstance)
        .map(HttpConnectorFactory.class::cast)
        .toList();
  }

  /** Returns the sections that are not Dropwizard's, by their keys. */
  Map<String, Record> sections() {
    return Map.ofEntries(
        Map.entry("hadoop", hadoop),
        Map.entry("hdfs", hdfs),
        Map.entry("catalog", catalog),
        Map.entry("raiding", raiding),
        Map.entry("yarn", yarn),
        Map.entry("placement", placement),
        Map.entry("coding", coding),
        Map.entry("repair", repair),
        Map.entry("scrub", scrub),
        Map.entry("schedule", schedule),
        Map.entry("recency", recency),
        Map.entry("api", api),
        Map.entry("audit", audit),
        Map.entry("standby", standby));
  }

  public StandbySettings standby() {
    return standby;
  }

  public PrincipalSettings hadoop() {
    return hadoop;
  }

  public HdfsSettings hdfs() {
    return hdfs;
  }

  public CatalogSettings catalog() {
    return catalog;
  }

  public RaidingSettings raiding() {
    return raiding;
  }

  public YarnSettings yarn() {
    return yarn;
  }

  public PlacementSettings placement() {
    return placement;
  }

  public CodingSettings coding() {
    return coding;
  }

  public RepairSettings repair() {
    return repair;
  }

  /** Returns the settings that can be changed while the daemon runs. */
  public Tuning tuning() {
    return new Tuning(
        new Tuning.Share(
            raiding.workers(),
            raiding.bytesPerSecond().toBytes(),
            raiding.bytesPerSecondPerDataNode().toBytes()),
        new Tuning.Share(
            repair.workers(),
            repair.bytesPerSecond().toBytes(),
            repair.bytesPerSecondPerDataNode().toBytes()),
        new Tuning.Share(
            repair.workers(),
            repair.urgentBytesPerSecond().toBytes(),
            repair.bytesPerSecondPerDataNode().toBytes()),
        new Tuning.Share(
            placement.concurrentMoves(),
            placement.bytesPerSecond().toBytes(),
            placement.bytesPerSecondPerDataNode().toBytes()),
        new Tuning.Share(
            scrub.workers(),
            scrub.bytesPerSecond().toBytes(),
            scrub.bytesPerSecondPerDataNode().toBytes()),
        scrub.checksumsPerSecond(),
        hdfs.streamsPerDataNode(),
        hdfs.nameNodeCallsPerSecond(),
        repair.hedgeAfter().toJavaDuration(),
        new Tuning.Containers(
            raiding.engine() == EngineName.YARN,
            repair.engine().inContainers(),
            repair.bulkFrom(),
            yarn.bytesPerSecond().toBytes()));
  }

  /** Whether anything is done in containers, as far as these settings say. */
  public boolean usesContainers() {
    return raiding.engine() == EngineName.YARN || repair.engine() != RepairEngineName.LOCAL;
  }

  public ScrubSettings scrub() {
    return scrub;
  }

  public ScheduleSettings schedule() {
    return schedule;
  }

  public RecencySettings recency() {
    return recency;
  }

  public ApiSettings api() {
    return api;
  }

  public AuditSettings audit() {
    return audit;
  }
}
