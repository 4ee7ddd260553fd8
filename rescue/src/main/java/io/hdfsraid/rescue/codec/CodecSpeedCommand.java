// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.erasurecode.kernel.KernelUnavailableException;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.rescue.output.JsonOption;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code raidshell bench codec}: measures how fast the codecs run on this machine. */
@Command(
    name = "codec",
    description = {
      "Measures how fast each codec encodes, and rebuilds one lost unit, on one thread of this"
          + " machine. Needs no RaidNode. Takes about half a minute for all codecs.",
      "'bin/bench codec' of a source checkout compares kernels, buffer sizes and Hadoop's own"
          + " coder."
    },
    sortOptions = false)
final class CodecSpeedCommand implements Callable<Integer> {
  private static final long ROUND_NANOS = 50_000_000;
  private static final long QUICK_NANOS = 1_000_000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--codec",
      paramLabel = "NAME",
      split = ",",
      description = "Measure only these codecs. Default: all that 'raidshell codecs' lists")
  private List<String> codecs = List.of();

  @Option(
      names = "--kernel",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = "Use this kernel. Default: auto, the kernel that the RaidNode would choose")
  private String kernel;

  @Option(
      names = "--quick",
      description = "Use very short rounds, to see that it runs. Do not quote these figures.")
  private boolean quick;

  /** The speed of one codec, as JSON. */
  private record Row(String codec, String kernel, double encodeGBps, double rebuildGBps) {}

  @Override
  public Integer call() throws JsonProcessingException {
    List<ErasureCodec> measured = codecs();
    useKernel();
    List<Row> rows = new ArrayList<>();
    for (ErasureCodec codec : measured) {
      CodecSpeed speed = CodecSpeed.of(codec, quick ? QUICK_NANOS : ROUND_NANOS);
      rows.add(new Row(codec.name(), kernel, speed.encode(), speed.rebuild()));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (JsonOption.of(spec)) {
      out.println(
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(rows));
    } else {
      show(rows, Screen.of(spec));
    }
    out.flush();
    return ExitCode.OK.number();
  }

  private void show(List<Row> rows, Screen screen) {
    screen.table(
        List.of("CODEC", "ENCODE", "REBUILD ONE"),
        rows.stream()
            .map(row -> List.of(row.codec(), speed(row.encodeGBps()), speed(row.rebuildGBps())))
            .toList());
    screen.blank();
    screen.line("Kernel: " + kernel);
    screen.line(
        "Figures are GB of input per second on one thread (1 GB = 10^9 bytes): the data units for"
            + " ENCODE, the bytes that are read from helpers for REBUILD ONE.");
  }

  private static String speed(double gigabytesPerSecond) {
    return String.format(Locale.ROOT, "%.2f", gigabytesPerSecond);
  }

  private List<ErasureCodec> codecs() {
    try {
      return codecs.isEmpty()
          ? Codecs.all()
          : codecs.stream().distinct().map(Codecs::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--codec: " + e.getMessage());
    }
  }

  private void useKernel() {
    if (!CodingKernels.settings().contains(kernel)) {
      throw new ParameterException(
          spec.commandLine(),
          "--kernel: There is no kernel %s. Kernels are %s"
              .formatted(kernel, String.join(", ", CodingKernels.settings())));
    }
    try {
      var unused = CodingKernels.choose(kernel).join();
    } catch (KernelUnavailableException e) {
      throw new ShellException(ExitCode.USAGE, "--kernel: " + e.getMessage(), "");
    }
  }
}
