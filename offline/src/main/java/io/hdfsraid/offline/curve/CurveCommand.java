package io.hdfsraid.offline.curve;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.offline.output.JsonWish;
import io.hdfsraid.raidshell.ExitCode;
import io.hdfsraid.raidshell.Screen;
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

/** Shows what protection would cost, by arithmetic alone. */
@Command(
    name = "curve",
    aliases = "--curve",
    description = {
      "What protection costs over the size of files: bytes on disks and objects of the NameNode, for"
          + " three copies, HDFS's own erasure coding, and raiding alone and in groups. Needs no"
          + " RaidNode."
    })
public final class CurveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      defaultValue = "rs-10-4",
      description = "Default: ${DEFAULT-VALUE}")
  private String codec;

  @Option(
      names = "--block-mib",
      paramLabel = "MIB",
      defaultValue = "128",
      description = "Size of a full block. Default: ${DEFAULT-VALUE}")
  private int blockMib;

  @Option(names = "--markdown", description = "As a table in Markdown, as in the documents.")
  private boolean markdown;

  @Option(names = "--svg", paramLabel = "FILE", description = "Also as a picture, into this file.")
  private Path svg;

  @Override
  public Integer call() throws IOException {
    List<CurvePoint> points = points();
    if (svg != null) {
      Files.writeString(svg, picture(points, codec, blockMib));
    }
    PrintWriter out = spec.commandLine().getOut();
    CurveTable table = new CurveTable(points);
    if (JsonWish.of(spec)) {
      out.println(
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(points));
    } else if (markdown) {
      out.print(table.markdown());
    } else {
      table.show(new Screen(out));
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
