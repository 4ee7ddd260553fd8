// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.codec;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.erasurecode.kernel.CodingKernels;
import io.hdfsraid.erasurecode.kernel.KernelReport;
import io.hdfsraid.erasurecode.kernel.KernelReport.Choice;
import io.hdfsraid.erasurecode.kernel.KernelUnavailableException;
import io.hdfsraid.erasurecode.kernel.MatrixKind;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.rescue.output.JsonOption;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code raidshell codecs}. */
@Command(
    name = "codecs",
    description = {
      "Lists the erasure codes with their storage cost, the losses they tolerate and the blocks"
          + " a repair reads; and the kernels of this machine. Needs no RaidNode."
    })
public final class CodecsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "Show this codec only, such as rs-6-3, with each of its units.")
  private String name;

  @Option(names = "--markdown", description = "Print a Markdown table, as in docs/codecs.md.")
  private boolean markdown;

  @Override
  public Integer call() throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    if (name == null) {
      showAll(out);
    } else {
      show(codec(), out);
    }
    out.flush();
    return ExitCode.OK.number();
  }

  private ErasureCodec codec() {
    if (markdown) {
      throw new ParameterException(
          spec.commandLine(), "--markdown is for the table of all codecs, not for one of them");
    }
    try {
      return Codecs.parse(name);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  private void show(ErasureCodec codec, PrintWriter out) throws JsonProcessingException {
    CodecPage page = CodecPage.of(codec);
    if (JsonOption.of(spec)) {
      print(CodecSheet.of(page.facts(), page.repairs()), out);
    } else {
      page.show(Screen.of(spec));
    }
  }

  private void showAll(PrintWriter out) throws JsonProcessingException {
    if (JsonOption.of(spec)) {
      KernelReport report = kernels();
      print(
          new Answer(
              Codecs.all().stream()
                  .map(codec -> CodecSheet.of(CodecFacts.of(codec), List.of()))
                  .toList(),
              report.kernels(),
              report.inUse()),
          out);
    } else if (markdown) {
      out.print(CodecTable.ofAll().markdown());
    } else {
      Screen screen = Screen.of(spec);
      CodecTable table = CodecTable.ofAll();
      screen.table(table.heading(), table.rows());
      screen.blank();
      // The kernels take a second or two.
      out.flush();
      showKernels(screen);
    }
  }

  private static void showKernels(Screen screen) {
    try {
      new KernelTable(CodingKernels.choose("auto").join()).show(screen);
    } catch (KernelUnavailableException e) {
      // Named by the system property: without it there would have been a choice.
      screen.line(e.getMessage());
    }
  }

  private static KernelReport kernels() {
    try {
      return CodingKernels.choose("auto").join();
    } catch (KernelUnavailableException e) {
      // Says of the kernel that the system property names why it cannot be used.
      return CodingKernels.report();
    }
  }

  /**
   * The answer for programs.
   *
   * @param inUse the kernel for each kind of matrix that the daemon would choose
   */
  private record Answer(
      List<CodecSheet> codecs, List<KernelReport.Entry> kernels, Map<MatrixKind, Choice> inUse) {}

  private static void print(Object answer, PrintWriter out) throws JsonProcessingException {
    out.println(
        new ObjectMapper()
            .registerModule(new Jdk8Module())
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_ABSENT)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .writeValueAsString(answer));
  }
}
