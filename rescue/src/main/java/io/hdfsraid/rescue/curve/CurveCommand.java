// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.curve;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.rescue.output.JsonOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code raidshell plan curve}: computes the cost of protection by file size. */
@Command(
    name = "curve",
    aliases = "--curve",
    description = {
      "Shows the cost of protection by file size: bytes on disks and objects of the NameNode, for"
          + " three replicas, for HDFS's own erasure coding, and for raided files, alone and in"
          + " groups. Needs no RaidNode."
    })
public final class CurveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      defaultValue = "rs-10-4",
      description = "The codec of raided files. Default: ${DEFAULT-VALUE}")
  private String codec;

  @Option(
      names = "--block-mib",
      paramLabel = "MIB",
      defaultValue = "128",
      description = "Size of a full block. Default: ${DEFAULT-VALUE}")
  private int blockMib;

  @Option(names = "--markdown", description = "Print a Markdown table, as in the documents.")
  private boolean markdown;

  @Option(names = "--svg", paramLabel = "FILE", description = "Also write a picture to this file.")
  private Path svg;

  @Override
  public Integer call() throws IOException {
    List<CurvePoint> points = points();
    if (svg != null) {
      Files.writeString(svg, picture(points, codec, blockMib));
    }
    PrintWriter out = spec.commandLine().getOut();
    CurveTable table = new CurveTable(points);
    if (JsonOption.of(spec)) {
      out.println(
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(points));
    } else if (markdown) {
      out.print(table.markdown());
    } else {
      table.show(Screen.of(spec));
    }
    out.flush();
    return ExitCode.OK.number();
  }

  private List<CurvePoint> points() {
    if (blockMib < 1 || blockMib > 4_096) {
      throw new ParameterException(
          spec.commandLine(), "A block has 1 to 4096 MiB, but --block-mib is " + blockMib);
    }
    try {
      Codecs.parse(codec);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
    return CurvePoint.curve(codec, (long) blockMib << 20);
  }

  static String picture(List<CurvePoint> points, String codec, int blockMib) {
    return new CurvePicture(
            points, "Bytes on disks for each byte, %s, blocks of %d MiB".formatted(codec, blockMib))
        .svg();
  }
}
