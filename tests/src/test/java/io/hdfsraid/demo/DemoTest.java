// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Stands here and not in its module: modules that use the demo need not wait for its end. */
class DemoTest {
  private static final double OVERHEAD_OF_RS_3_2 = 5.0 / 3;

  /** A block of 1 MiB with its checksums. */
  private static final long LARGEST_MOVE = (1 << 20) + (1 << 20) / 512 * 4;

  private static final Logger DATANODE = (Logger) LoggerFactory.getLogger(DataNode.class);
  private static final Logger READS =
      (Logger) LoggerFactory.getLogger(DataNode.class.getName() + ".clienttrace");
  private static final String REPAIR_STEP = "Find what is lost, and repair it";

  private static final int LAST_READS = 60;
  private static final List<String> SENT_WHAT = List.of("bytes:", "offset:", "cliID:", "blockid:");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private final ListAppender<ILoggingEvent> reads = new ListAppender<>();

  /**
   * The blocks that DataNodes sent to each other since the demo began to repair. They send a block
   * twice if the first copy was refused when it had arrived.
   */
  private final List<String> copies = new CopyOnWriteArrayList<>();

  private final AppenderBase<ILoggingEvent> copyWatch =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (event.getMessage().startsWith("Copied") && out.toString().contains(REPAIR_STEP)) {
            copies.add("%tT.%<tL %s%n".formatted(event.getTimeStamp(), event));
          }
        }
      };

  /** DataNodes log who reads what, and what they send to each other. */
  @BeforeEach
  void watchDataNodes() {
    watch(READS, Level.DEBUG, reads);
    watch(DATANODE, Level.INFO, copyWatch);
  }

  @AfterEach
  void forgetDataNodes() {
    forget(READS, reads);
    forget(DATANODE, copyWatch);
  }

  private static void watch(Logger logger, Level level, Appender<ILoggingEvent> appender) {
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
    logger.setLevel(level);
  }

  private static void forget(Logger logger, Appender<ILoggingEvent> appender) {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(null);
    appender.stop();
  }

  private String lastReads(DemoReport report) {
    List<ILoggingEvent> ended =
        reads.list.stream()
            .filter(read -> read.getFormattedMessage().contains("HDFS_READ"))
            .toList();
    String proof = client(ended.get(ended.size() - 1));
    List<ILoggingEvent> before =
        ended.stream().filter(read -> !client(read).equals(proof)).toList();
    return before.stream()
        .skip(Math.max(0, before.size() - LAST_READS))
        .map(read -> "%tT.%<tL %s%n".formatted(read.getTimeStamp(), sentWhat(read)))
        .collect(
            Collectors.joining(
                "",
                "%d bytes were sent, %d by recipe, and %d units were moved. Copies:%n%sThe last reads before the proof:%n"
                    .formatted(
                        report.bytesSentForRepair,
                        report.bytesSentByRecipe,
                        report.unitsMovedDuringRepair,
                        String.join("", copies)),
                ""));
  }

  private static String client(ILoggingEvent read) {
    return Stream.of(read.getFormattedMessage().split(", "))
        .filter(part -> part.startsWith("cliID:"))
        .findFirst()
        .orElse("");
  }

  private static String sentWhat(ILoggingEvent read) {
    return Stream.of(read.getFormattedMessage().split(", "))
        .filter(part -> SENT_WHAT.stream().anyMatch(part::startsWith))
        .collect(Collectors.joining(", "));
  }

  private int demo(String... options) {
    return DemoCommand.run(new PrintWriter(out), new PrintWriter(err), options);
  }

  private DemoReport report(Path json) throws IOException {
    return new ObjectMapper().readValue(Files.readString(json), DemoReport.class);
  }

  @Test
  void theWholeDemoEndsWellAndItsFiguresAgree() throws IOException {
    Set<Path> workspaces = workspaces();
    Path json = directory.resolve("report.json");
    assertThat(demo("--codec", "rs-3-2", "--datanodes", "9", "--json", json.toString()))
        .as("%s%n%s", out, err)
        .isZero();

    DemoReport report = report(json);
    assertFiguresAgree(report, Codecs.parse("rs-3-2"));
    assertThat(report.filesRaided).isEqualTo(6 + 40);
    assertThat(report.smallFiles.files()).isEqualTo(40);
    assertThat(report.smallFiles.groups()).isEqualTo(2);
    assertThat(report.smallFiles.bytesOnDiskBefore()).isEqualTo(3 * report.smallFiles.bytes());
    assertThat(report.smallFiles.effectiveReplication()).isCloseTo(OVERHEAD_OF_RS_3_2, within(0.1));
    assertThat(out.toString()).contains("40 small files share the parity of 2 groups");
    assertThat(report.effectiveReplicationRaided).isCloseTo(OVERHEAD_OF_RS_3_2, within(0.35));
    assertThat(report.detectedBy).containsOnlyKeys("NAMENODE", "READ", "DATANODE_CHECKSUM");
    assertThat(workspaces()).as("temporary directories").isSubsetOf(workspaces);
  }

  /** The claim of the README, for every code of its table. */
  @Tag("full")
  @ParameterizedTest
  @MethodSource("codecs")
  void theDemoRunsWithEveryCodecAndRepairsReadWhatItsTablePromises(String codec)
      throws IOException {
    Path json = directory.resolve("report.json");
    assertThat(demo("--codec", codec, "--json", json.toString())).as("%s%n%s", out, err).isZero();
    assertFiguresAgree(report(json), Codecs.parse(codec));
  }

  static Stream<String> codecs() {
    return Codecs.all().stream().map(ErasureCodec::name);
  }

  private void assertFiguresAgree(DemoReport report, ErasureCodec codec) {
    assertThat(report.failure).isNull();
    assertThat(report.notProven).isEmpty();
    assertThat(report.codec).isEqualTo(codec.name());
    assertThat(report.filesLeft)
        .containsEntry("EMPTY", 1)
        .containsEntry("EXCLUDED", 1)
        .containsEntry("STILL_WARM", 1)
        .containsEntry("NO_POLICY", 2);
    int left = report.filesLeft.values().stream().mapToInt(Integer::intValue).sum();
    assertThat(report.filesRaided + left).isEqualTo(report.filesVerified);
    assertThat(report.physicalBytesBefore).isGreaterThanOrEqualTo(3 * report.logicalBytes);
    assertThat(report.physicalBytesAfter).isLessThan(report.physicalBytesBefore);
    assertThat(report.effectiveReplication)
        .isEqualTo((double) report.physicalBytesAfter / report.logicalBytes);

    assertThat(report.blocksLost).isPositive().isEqualTo(report.blocksRepaired);
    assertThat(report.detectedBy).containsKeys("NAMENODE", "READ");
    assertThat(report.detectedBy.values().stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(report.blocksLost);
    assertThat(report.filesReadDegraded).isPositive();
    assertThat(report.filesDamaged).isZero();

    assertThat(report.repairs).containsKeys(1, codec.furtherLosses(UnitSet.none()));
    assertThat(report.repairs)
        .allSatisfy(
            (losses, repairs) ->
                assertThat(repairs.bytesRead())
                    .as("%d losses", losses)
                    .isPositive()
                    .isEqualTo(repairs.bytesPromised()));
    assertThat(report.otherThanPromised).isEmpty();
    assertThat(report.singleLosses)
        .as("single losses of full stripes")
        .isNotEmpty()
        .allSatisfy(
            single ->
                assertThat(single.blocksRead())
                    // Blocks of 1 MiB cannot be cut into three chunks; parity is 2 bytes longer.
                    .isCloseTo(single.blocksInTable(), within(0.001)));
    assertThat(report.bytesReadForRepair)
        .isEqualTo(report.repairs.values().stream().mapToLong(DemoReport.Repairs::bytesRead).sum());
    // Nobody reads but the repairs, and moves of whole units that lie badly after them.
    assertThat(copies).as("copies of moved units").hasSizeGreaterThanOrEqualTo(moved(report));
    assertThat(report.bytesSentForRepair - report.bytesSentByRecipe)
        .as(() -> lastReads(report))
        .isBetween((long) copies.size(), copies.size() * LARGEST_MOVE);
    assertThat(out.toString()).contains("Nothing was lost").doesNotContain("[FAIL]");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  @Tag("full")
  void aDemoThatFailsReportsWhatIsKnownAndWhy() throws IOException {
    Path data = Files.createDirectory(directory.resolve("data"));
    Files.writeString(data.resolve("small"), "too small to be raided");
    Path json = directory.resolve("report.json");
    assertThat(
            demo(
                "--data",
                data.toString(),
                "--codec",
                "rs-3-2",
                "--datanodes",
                "6",
                "--json",
                json.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("nothing to show").hasLineCount(1);

    DemoReport report = report(json);
    assertThat(report.failure).contains("None of the files is to be raided");
    assertThat(report.dataNodes).isEqualTo(6);
    assertThat(report.logicalBytes).isEqualTo(22);
    assertThat(report.physicalBytesBefore).isGreaterThan(3 * 22);
    assertThat(report.filesRaided).isNull();
    assertThat(Files.readString(json)).doesNotContain("null");
  }

  private static int moved(DemoReport report) {
    return Math.toIntExact(report.unitsMovedDuringRepair);
  }

  private static Set<Path> workspaces() throws IOException {
    try (Stream<Path> entries = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return entries
          .filter(path -> path.getFileName().toString().startsWith("hdfs-raid-demo-"))
          .collect(Collectors.toSet());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--codec,     rs-1,      'There is no codec rs-1'",
    "--codec,     rs-1,      'Codecs are named rs-K-M, '",
    "--codec,     rs-128-128, 'a stripe of rs-128-128 has 256 units'",
    "--codec,     rs-200-20, 'at most 128'",
    "--datanodes, 13,        'a stripe of rs-10-4 has 14 units'",
    "--datanodes, 1000,      'at most 128'",
    "--datanodes, many,      'many'",
    "--engine,    spark,     'local or yarn only'",
    "--hadoop=,   --engine=yarn, 'name its directory with --hadoop'",
    "--hadoop,    target,    'for --engine yarn only'",
    "--hadoop=.,  --engine=yarn, '. is no Hadoop with a YARN'",
    "--serve,     --engine=yarn, '--serve'",
    "--data,      /no/such,  '/no/such does not exist'",
    "--data,      pom.xml,   'pom.xml is not a directory'",
    "--json,      /no/such/report.json, 'cannot be written'",
    "--json,      target,    'target cannot be written'",
    "--what,      ever,      '--what'"
  })
  void badInputIsOneLineAndNothingIsStarted(String option, String value, String complaint) {
    assertThat(demo(option, value)).isEqualTo(2);
    assertThat(err.toString()).contains(complaint).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void anEmptyDirectoryHasNothingToShow() {
    assertThat(demo("--data", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("holds no file with content").hasLineCount(1);
  }
}
