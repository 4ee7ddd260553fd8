// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.cluster.BenchSettings;
import io.hdfsraid.bench.cluster.Workbench;
import io.hdfsraid.bench.codec.Cell;
import io.hdfsraid.bench.codec.KernelSwitch;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.bench.table.TableFormat;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidshell.command.Progress;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.rescue.workspace.Workspace;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bin/bench read}. */
@Command(
    name = "read",
    description = {
      "Measures reads of raided files through DistributedRaidFileSystem on an embedded HDFS: of"
          + " healthy files beside plain ones, and of files that have lost a block of each stripe"
          + " beside healthy ones and beside files of HDFS's own erasure coding that have lost as"
          + " much. The rivals take turns.",
      "Takes about ten minutes and 5 GB. All files are in one temporary directory, which is removed"
          + " at the end. Set TMPDIR to a directory in memory to measure software and not disks."
    },
    sortOptions = false)
public final class ReadBenchCommand implements Callable<Integer> {
  private static final String KERNEL = "portable";
  private static final int USUAL_ROUNDS = 5;
  private static final int WRITERS = 4;
  private static final int ONE_RACK = 1;
  private static final int REPLICAS = 3;

  /** The calls of the NameNode are counted by a client that has read another file before. */
  private static final int LEAST_FILES = 2;

  /**
   * Keeps the NameNode from rebuilding what HDFS's own striped files have lost. It copies nothing
   * then; files are written, raided and reduced without that.
   */
  private static final Map<String, String> LOST_STAYS_LOST =
      Map.of(
          "dfs.namenode.replication.max-streams", "0",
          "dfs.namenode.replication.max-streams-hard-limit", "0");

  @Option(
      names = "--codec",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "rs-6-3,lrc-xorbas-10-6,rs-10-4,less-10-4",
      description =
          "Healthy files are raided with the first. Default:"
              + " rs-6-3,lrc-xorbas-10-6,rs-10-4,less-10-4")
  private List<String> codecs;

  @Option(
      names = "--read-limit",
      paramLabel = "SIZE",
      defaultValue = "16MiB",
      description =
          "What a DataNode gives its readers in a second where that is limited. Default: 16MiB")
  private String readLimit;

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many files of each codec lose blocks, at least 2. Default: 2")
  private int files;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Blocks of each file, less those of a last stripe that is not full. Default: 20")
  private int blocks;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      defaultValue = "8MiB",
      description = "Of the files, a number of MiB, at most 64MiB. Default: 8MiB")
  private String blockSize;

  @Option(
      names = "--datanodes",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many DataNodes; at least the units of a stripe. Default: 20")
  private int dataNodes;

  @Mixin private BenchOptions options;

  @Override
  public Integer call() {
    options.check();
    BenchSettings settings = settings();
    Cell limit = Cell.parse(options, "--read-limit", readLimit);
    Workbench.requireSpace(bytesOnDisk(settings), options);
    ReadBench.Effort effort =
        options.quick()
            ? ReadBench.Effort.quick(options.rounds(1))
            : ReadBench.Effort.usual(options.rounds(USUAL_ROUNDS));
    return options.run("read", () -> measured(settings, effort, limit));
  }

  private BenchSettings settings() {
    try {
      List<ErasureCodec> parsed = codecs.stream().map(Codecs::parse).distinct().toList();
      if (files < LEAST_FILES) {
        throw new IllegalArgumentException(
            "--files is %d or more, but got %d".formatted(LEAST_FILES, files));
      }
      int units =
          parsed.stream()
              .map(StripedPolicy::like)
              .mapToInt(policy -> policy.shape().units())
              .max()
              .orElse(1);
      if (dataNodes < units) {
        throw new IllegalArgumentException(
            "--datanodes: HDFS's own erasure coding needs %d, but got %d"
                .formatted(units, dataNodes));
      }
      return new BenchSettings(
          parsed,
          files,
          blocks,
          Cell.parse(options, "--block-size", blockSize).bytes(),
          dataNodes,
          ONE_RACK,
          WRITERS);
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  /** Two copies of each raided and striped file, and what is raided next has three replicas. */
  private static long bytesOnDisk(BenchSettings settings) {
    long codecs = settings.codecs().size();
    long tables = TableFormat.ALL.size();
    long ofEachCodec = settings.files() + 1L + tables;
    long striped = (2 + tables) * (codecs + 1);
    long copies = 2 * (codecs * ofEachCodec + striped) + REPLICAS * (ofEachCodec + 1 + tables);
    return copies * settings.fileBytes();
  }

  private BenchOptions.Measured measured(
      BenchSettings settings, ReadBench.Effort effort, Cell limit) {
    KernelSwitch.ofProcess().use(KERNEL);
    return Workbench.measure(
        workbench -> {
          ReadBench.Outcome outcome =
              workbench.onHdfs(
                  settings,
                  LOST_STAYS_LOST,
                  cluster -> {
                    try (Progress progress =
                        options.progress(
                            "Measured steps", effort.steps(settings.codecs().size()))) {
                      return new ReadBench(cluster, effort, limit.bytes(), Clock.systemUTC())
                          .run(progress);
                    }
                  });
          return new BenchOptions.Measured(
              method(settings, effort, limit), new ReadRows(outcome).all());
        });
  }

  private static List<String> method(BenchSettings settings, ReadBench.Effort effort, Cell limit) {
    return List.of(
        "%d rounds after %d to warm up, in which all take turns; %d with a limit of %s per second for each DataNode."
            .formatted(
                effort.rounds(),
                effort.warmUps(),
                effort.limitedRounds(),
                Screen.bytes(limit.bytes())),
        "Values are medians over the rounds, ratios medians of the ratios of each round, quartiles"
            + " those of these ratios.",
        "%d files of each code with up to %d blocks of %s have lost the second block of each stripe, and the NameNode knows it."
            .formatted(settings.files(), settings.blocks(), Screen.bytes(settings.blockBytes())),
        "Peers named RS are files of HDFS's own erasure coding that have lost the second internal"
            + " block of each block group.",
        "%d DataNodes, in %s; our kernel: %s."
            .formatted(settings.dataNodes(), Workspace.parent(), KERNEL),
        "A sequential read is that of a new client. So is a first byte: it has connections, and"
            + " has read no lost block yet.",
        "A slow helper is a block of the stripe from which each read waits %d ms; 'first' is the first read after it became slow."
            .formatted(SlowHelperReads.DELAY.toMillis()));
  }
}
