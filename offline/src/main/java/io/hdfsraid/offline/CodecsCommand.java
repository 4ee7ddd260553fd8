package io.hdfsraid.offline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.hdfsraid.erasurecode.CodecFacts;
import io.hdfsraid.erasurecode.Codecs;
import io.hdfsraid.raidshell.ExitCode;
import io.hdfsraid.raidshell.Screen;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the codecs. */
@Command(
    name = "codecs",
    description = "The erasure codes: what each costs, bears and reads. Needs no RaidNode.")
final class CodecsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--markdown", description = "As a table in Markdown, as in the README.")
  private boolean markdown;

  @Override
  public Integer call() throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    CodecTable table = CodecTable.ofAll();
    if (spec.commandLine().getParseResult().hasMatchedOption("--json")) {
      out.println(
          new ObjectMapper()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .writeValueAsString(Codecs.all().stream().map(CodecFacts::of).toList()));
    } else if (markdown) {
      out.print(table.markdown());
    } else {
      new Screen(out)
          .table(table.heading().stream().map(CodecsCommand::upperCase).toList(), table.rows());
    }
    out.flush();
    return ExitCode.OK.number();
  }

  private static String upperCase(String heading) {
    return heading.toUpperCase(Locale.ROOT);
  }
}
