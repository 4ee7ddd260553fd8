// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.scale;

import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench scale}. */
@Command(
    name = "scale",
    description = {
      "Computes what raiding and repairing need on a cluster of any size, with the numbers that you"
          + " give. Nothing is measured: the constants come from the other benchmarks, and"
          + " everything is taken to be spread evenly. Takes a second.",
    },
    sortOptions = false)
public final class ScaleBenchCommand implements Callable<Integer> {
  private static final double TB = 1e12;
  private static final double GIGABIT = 1e9 / 8;
  private static final double MB = 1e6;
  private static final double HOUR = 3600;
  private static final double MIB = 1 << 20;

  private static final Row.Unit PER_SECOND = new Row.Unit("/s", 1);
  private static final Row.Unit HOURS = new Row.Unit("h", HOUR);
  private static final Row.Unit TERABYTES = new Row.Unit("TB", TB);
  private static final Row.Unit TERABYTES_PER_HOUR = new Row.Unit("TB/h", TB);

  @Option(names = "--nodes", paramLabel = "N", defaultValue = "5000", description = "Default: 5000")
  private int nodes;

  @Option(names = "--racks", paramLabel = "N", defaultValue = "125", description = "Default: 125")
  private int racks;

  @Option(
      names = "--tb-per-node",
      paramLabel = "TB",
      defaultValue = "200",
      description = "Bytes that a DataNode holds. Default: 200")
  private double terabytesPerNode;

  @Option(
      names = "--node-gbit",
      paramLabel = "GBIT",
      defaultValue = "25",
      description = "Link of a DataNode. Default: 25")
  private double nodeGigabits;

  @Option(
      names = "--rack-gbit",
      paramLabel = "GBIT",
      defaultValue = "400",
      description = "Link of a rack. Default: 400")
  private double rackGigabits;

  @Option(
      names = "--share",
      paramLabel = "PERCENT",
      defaultValue = "10",
      description = "What repairs may use of the links. Default: 10")
  private double share;

  @Option(
      names = "--raid-tb-per-hour",
      paramLabel = "TB",
      defaultValue = "100",
      description = "Source bytes that are raided in an hour. Default: 100")
  private double raidedPerHour;

  @Option(
      names = "--mb-per-file",
      paramLabel = "MB",
      defaultValue = "1000",
      description = "Mean size of raided files. Default: 1000")
  private double megabytesPerFile;

  @Option(
      names = "--block-mib",
      paramLabel = "MIB",
      defaultValue = "128",
      description = "Default: 128")
  private double blockMebibytes;

  @Option(
      names = "--calls-per-file",
      paramLabel = "N",
      defaultValue = "51",
      description = "Calls of the NameNode to raid a file of one stripe. Default: 51")
  private double callsPerFile;

  @Option(
      names = "--calls-per-stripe",
      paramLabel = "N",
      defaultValue = "12",
      description = "Calls of the NameNode for each further stripe. Default: 12")
  private double callsPerStripe;

  @Option(
      names = "--container-mb",
      paramLabel = "MB",
      defaultValue = "100",
      description = "Source bytes that a container encodes in a second. Default: 100")
  private double containerMegabytes;

  @Option(
      names = "--far-reads",
      paramLabel = "N",
      defaultValue = "2.1",
      description =
          "Blocks of a stripe of rs-10-4 that are read across racks or moved ('bench place')."
              + " Default: 2.1")
  private double farReads;

  @Option(
      names = "--codec",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "rs-10-4,lrc-azure-12-2-2,less-10-4",
      description = "Default: rs-10-4,lrc-azure-12-2-2,less-10-4")
  private List<String> codecs;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() {
    options.check();
    requirePositive("--nodes", nodes);
    requirePositive("--tb-per-node", terabytesPerNode);
    requirePositive("--node-gbit", nodeGigabits);
    requirePositive("--rack-gbit", rackGigabits);
    requirePositive("--share", share);
    requirePositive("--raid-tb-per-hour", raidedPerHour);
    requirePositive("--mb-per-file", megabytesPerFile);
    requirePositive("--block-mib", blockMebibytes);
    requirePositive("--container-mb", containerMegabytes);
    if (racks < 2 || nodes % racks != 0) {
      throw options.wrong(
          "--racks is 2 or more and divides --nodes, but got %d racks for %d nodes"
              .formatted(racks, nodes));
    }
    List<ErasureCodec> parsed;
    try {
      parsed = codecs.stream().map(Codecs::parse).toList();
    } catch (IllegalArgumentException e) {
      throw options.wrong("--codec: " + e.getMessage());
    }
    return options.run("scale", () -> compute(parsed));
  }

  private void requirePositive(String option, double value) {
    if (!(value > 0)) {
      throw options.wrong("%s is more than 0, but got %s".formatted(option, value));
    }
  }

  private BenchOptions.Measured compute(List<ErasureCodec> parsed) {
    ScaledCluster cluster =
        new ScaledCluster(
            nodes,
            racks,
            terabytesPerNode * TB,
            nodeGigabits * GIGABIT * share / 100,
            rackGigabits * GIGABIT * share / 100);
    List<Row> rows = new ArrayList<>();
    double bytesPerSecond = raidedPerHour * TB / HOUR;
    double files = bytesPerSecond / (megabytesPerFile * MB);
    int dataUnits = 10;
    double stripes =
        Math.max(1, Math.ceil(megabytesPerFile * MB / (dataUnits * blockMebibytes * MIB)));
    rows.add(row("raid: files", new Row.Unit("files/h", 1), files * HOUR));
    rows.add(
        row(
            "raid: NameNode calls",
            PER_SECOND,
            files * (callsPerFile + callsPerStripe * (stripes - 1))));
    rows.add(
        row(
            "raid: containers",
            new Row.Unit("containers", 1),
            bytesPerSecond / (containerMegabytes * MB)));
    rows.add(
        row(
            "raid: daemon's link, local engine",
            new Row.Unit("Gb/s", GIGABIT),
            bytesPerSecond * (dataUnits + 4) / dataUnits));
    rows.add(
        row(
            "raid: across racks, containers",
            TERABYTES_PER_HOUR,
            raidedPerHour * TB * (farReads + 4) / dataUnits));
    for (ErasureCodec codec : parsed) {
      String of = codec.name() + ": ";
      rows.add(
          row(of + "blocks read for one", new Row.Unit("blocks", 1), ScaledCluster.reads(codec)));
      rows.add(row(of + "dead node, read", TERABYTES, cluster.readForNode(codec)));
      rows.add(row(of + "dead node, until whole", HOURS, cluster.secondsForNode(codec)));
      rows.add(row(of + "dead rack, until whole", HOURS, cluster.secondsForRack(codec)));
    }
    return new BenchOptions.Measured(
        List.of(
            "Computed, not measured: %d nodes in %d racks, %s TB each; repairs use %s %% of links of %s and %s Gb/s."
                .formatted(
                    nodes,
                    racks,
                    plain(terabytesPerNode),
                    plain(share),
                    plain(nodeGigabits),
                    plain(rackGigabits)),
            "Raided: %s TB an hour, files of %s MB, rs-10-4, blocks of %s MiB."
                .formatted(plain(raidedPerHour), plain(megabytesPerFile), plain(blockMebibytes))),
        rows);
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private static Row row(String name, Row.Unit unit, double value) {
    return Row.alone(name, unit, Samples.of(value));
  }
}
