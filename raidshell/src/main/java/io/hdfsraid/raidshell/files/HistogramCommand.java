// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.files;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.files.FileHistogram.Amount;
import io.hdfsraid.raidapi.files.FileHistogram.Cell;
import io.hdfsraid.raidapi.files.FileHistogram.Size;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

@Command(
    name = "histogram",
    description = {
      "Shows how old, how large and how often replicated files are, to choose a coldAfter.",
      "Counts the files in the index of the RaidNode, or in an image of a NameNode (no RaidNode)."
    })
public final class HistogramCommand extends RestCommand<FileHistogram> {
  @Option(
      names = "--path",
      paramLabel = "PATH",
      converter = HdfsPathConverter.class,
      description = "Count only the files below this path. Default: /. Not with --fsimage.")
  private String path;

  @Option(
      names = "--fsimage",
      paramLabel = "FILE",
      description = {
        "An image as 'hdfs dfsadmin -fetchImage' gets it: needs no RaidNode and no HDFS. Ages are"
            + " reckoned back from when the file was written. All files of it are counted, those"
            + " that only snapshots hold, too: it cannot be narrowed by --path."
      })
  private Path fsimage;

  @Override
  protected FileHistogram ask(ShellOptions shell) throws IOException {
    if (fsimage == null) {
      return ask(shell.client());
    }
    if (path != null) {
      throw new ParameterException(
          spec().commandLine(),
          "--path cannot be used with --fsimage: an image is counted as a whole");
    }
    return shell.directAccess().histogram(fsimage, spec().commandLine().getErr());
  }

  @Override
  protected FileHistogram ask(RaidNodeClient client) throws IOException {
    return client.histogram(path == null ? "/" : path);
  }

  @Override
  protected void show(FileHistogram histogram, Screen screen) {
    screen.line(
        "%d files below %s, used so long before %s:"
            .formatted(histogram.total().files(), histogram.path(), Screen.time(histogram.at())));
    screen.blank();
    screen.table(
        List.of("LAST USED", "FILES", "DATA", "ON DISK", "AND OLDER", "OLDER ON DISK"),
        histogram.ages().stream().map(HistogramCommand::row).toList());
    screen.blank();
    screen.table(heading(histogram), sizes(histogram));
    if (histogram.cells().stream().anyMatch(cell -> cell.replication() == 0)) {
      screen.line(
          "EC: HDFS's own erasure coding; what these files take on disk is not known here.");
    }
    if (!histogram.accessTimes() && histogram.total().files() > 0) {
      screen.blank();
      screen.line(
          "No file has been read since it was last changed, as far as is known: HDFS records no"
              + " access times (dfs.namenode.accesstime.precision is 0) or all of them are older."
              + " Ages are since the last change.");
    }
  }

  private static List<String> row(FileHistogram.Age age) {
    return List.of(
        age.name(),
        Long.toString(age.amount().files()),
        Screen.bytes(age.amount().logicalBytes()),
        Screen.bytes(age.amount().physicalBytes()),
        Screen.bytes(age.cumulative().logicalBytes()),
        Screen.bytes(age.cumulative().physicalBytes()));
  }

  private static List<String> heading(FileHistogram histogram) {
    return Stream.concat(
            Stream.of("DATA OF", "REPLICATION", "FILES"),
            histogram.sizes().stream().map(Size::name))
        .toList();
  }

  private record Line(String age, int replication) {}

  private static List<List<String>> sizes(FileHistogram histogram) {
    Map<Line, Map<String, Amount>> lines = new LinkedHashMap<>();
    for (Cell cell : histogram.cells()) {
      lines
          .computeIfAbsent(new Line(cell.age(), cell.replication()), line -> new LinkedHashMap<>())
          .put(cell.size(), cell.amount());
    }
    List<List<String>> rows = new ArrayList<>();
    lines.forEach((line, amounts) -> rows.add(row(line, amounts, histogram.sizes())));
    return rows;
  }

  private static List<String> row(Line line, Map<String, Amount> amounts, List<Size> sizes) {
    long files = amounts.values().stream().mapToLong(Amount::files).sum();
    List<String> row = new ArrayList<>();
    row.add(line.age());
    row.add(line.replication() == 0 ? "EC" : Integer.toString(line.replication()));
    row.add(Long.toString(files));
    for (Size size : sizes) {
      Amount amount = amounts.getOrDefault(size.name(), Amount.NONE);
      row.add(amount.files() == 0 ? "-" : Screen.bytes(amount.logicalBytes()));
    }
    return row;
  }
}
