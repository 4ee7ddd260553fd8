// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.direct;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidnode.audit.AuditArchive.Series;
import io.hdfsraid.raidnode.audit.AuditFiles;
import io.hdfsraid.raidnode.hdfs.HdfsAuditFiles;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.NamedCluster;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.TimeOptions;
import io.hdfsraid.rescue.output.JsonOption;
import io.hdfsraid.rescue.output.LibraryLogging;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "audit",
    description = {
      "Lists who changed what and why, from the files on HDFS; oldest first.",
      "Needs neither a RaidNode nor its catalog, but the rights of the RaidNode's user. The last"
          + " minute of a running RaidNode may be missing; its log has it."
    })
public final class AuditCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = ApiJson.mapper();
  private static final Fence READ_ONLY =
      () -> {
        throw new IOException("This command changes nothing");
      };

  private final Installation installation;

  @Spec private CommandSpec spec;

  @Mixin private TimeOptions time;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "Only of this user; 'policy NAME' or 'daemon' for what was done without one.")
  private String user;

  @Option(
      names = "--path",
      paramLabel = "PATH",
      converter = HdfsPathConverter.class,
      description = "Only about this file, or below this directory.")
  private String path;

  @Option(names = "--requests", description = "Only requests, not what was done.")
  private boolean requests;

  public AuditCommand(Installation installation) {
    this.installation = installation;
  }

  @Override
  public Integer call() throws IOException {
    LibraryLogging.hush();
    PrintWriter out = spec.commandLine().getOut();
    Installation source =
        NamedCluster.of(spec).map(named -> installation.at(named.uri())).orElse(installation);
    try (ReadOnlyHdfs hdfs = ReadOnlyHdfs.open(source, Clock.systemUTC())) {
      HdfsAuditFiles files = new HdfsAuditFiles(hdfs.fileSystem(), installation.root(), READ_ONLY);
      List<Lines> series = new ArrayList<>();
      series.add(new Lines(files, Series.REQUESTS));
      series.add(new Lines(files, Series.STRANGERS));
      if (!requests) {
        series.add(new Lines(files, Series.ACTIONS));
      }
      boolean json = JsonOption.of(spec);
      while (true) {
        series.removeIf(lines -> lines.next == null);
        if (series.isEmpty()) {
          break;
        }
        Lines oldest = series.stream().min(Comparator.comparing(Lines::at)).orElseThrow();
        if (isWanted(oldest.next)) {
          out.println(json ? oldest.next.toString() : words(oldest.next));
        }
        oldest.advance();
      }
    }
    out.flush();
    return ExitCode.OK.number();
  }

  private boolean isWanted(JsonNode line) {
    Instant at = Instant.parse(line.path("at").asText());
    String about = line.path("path").asText();
    return time.holds(at)
        && (user == null || line.path("user").asText().equals(user))
        && (path == null || path.equals("/") || about.equals(path) || about.startsWith(path + "/"));
  }

  private static String words(JsonNode line) {
    StringBuilder words = new StringBuilder();
    for (Map.Entry<String, JsonNode> each : line.properties()) {
      String value = each.getValue().asText();
      if (each.getKey().equals("at") || each.getKey().equals("what")) {
        words.append(value).append(' ');
      } else {
        words.append(each.getKey()).append("=\"").append(value.replace("\"", "\\\"")).append("\" ");
      }
    }
    return Screen.printable(words.toString().stripTrailing());
  }

  /** The lines of a series from the beginning of the wanted time on, file by file. */
  private final class Lines {
    private final HdfsAuditFiles files;
    private final Iterator<String> names;
    private Iterator<String> lines = List.<String>of().iterator();
    private String file;
    private JsonNode next;

    Lines(HdfsAuditFiles files, Series series) throws IOException {
      this.files = files;
      this.names = names(files, series).iterator();
      advance();
    }

    /** Leaves out files that ended before: the next one was begun by then. */
    private List<String> names(HdfsAuditFiles files, Series series) throws IOException {
      List<String> all =
          files.list().stream().map(AuditFiles.Kept::name).filter(series::holds).toList();
      String first = series.fileName(time.since().orElse(Instant.EPOCH));
      int from = 0;
      while (from + 1 < all.size() && all.get(from + 1).compareTo(first) <= 0) {
        from++;
      }
      return all.subList(from, all.size());
    }

    Instant at() {
      return Instant.parse(next.path("at").asText());
    }

    void advance() throws IOException {
      next = null;
      while (next == null && (lines.hasNext() || names.hasNext())) {
        if (lines.hasNext()) {
          next = parsed(lines.next());
        } else {
          file = names.next();
          lines = new String(files.read(file), StandardCharsets.UTF_8).lines().iterator();
        }
      }
    }

    /** Returns null for the beginning of a line, which stays where a daemon died while it wrote. */
    private JsonNode parsed(String line) {
      try {
        return JSON.readTree(line);
      } catch (JsonProcessingException e) {
        spec.commandLine()
            .getErr()
            .printf("raidshell: %s: a line is cut: the RaidNode died while it wrote it%n", file);
        return null;
      }
    }
  }
}
