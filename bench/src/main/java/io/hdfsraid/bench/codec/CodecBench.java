// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.bench.codec.CellBuffers.Memory;
import io.hdfsraid.bench.measure.InterleavedTasks;
import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.measure.Task;
import io.hdfsraid.bench.measure.TaskSpeed;
import io.hdfsraid.bench.report.Row;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.StripeShape;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Measures codecs and kernels beside Hadoop's own coder, and some of them beside each other. */
final class CodecBench {
  static final Row.Unit INPUT = new Row.Unit("GB/s", 1e9);

  private static final List<String> METHOD =
      List.of(
          "Ratios are medians of the ratios of each round, quartiles those of these ratios (of the"
              + " values where there is no peer).",
          "GB/s are 10^9 bytes of input for each second of CPU time: the k data units for encode,"
              + " all that is read for decode1",
          "(one unit lost) and decodem (m lost, or as many as are borne for certain); for repair,"
              + " of the rebuilt unit.",
          "All memory is used again and again, so it is in caches. All results were checked before"
              + " and after.");

  private static final Row.Unit PLANS = new Row.Unit("plans/s", 1);

  /** The shapes of Reed-Solomon that Hadoop's erasure coding has. */
  private static final Set<StripeShape> HADOOP =
      Set.of(new StripeShape(3, 2), new StripeShape(6, 3), new StripeShape(10, 4));

  private static final StripeShape USUAL = new StripeShape(10, 4);

  private static final String BASE = "rs-10-4";
  private static final String LESS = "less-10-4";
  private static final String LRC = "lrc-xorbas-10-6";

  private final Settings settings;
  private final KernelSwitch kernels;
  private final Map<String, Optional<String>> problems = new LinkedHashMap<>();
  private final Map<String, CodecTask> tasks = new LinkedHashMap<>();

  /**
   * @param codecs to be measured
   * @param kernels by name, to be measured if they are there
   */
  record Settings(
      List<ErasureCodec> codecs, List<String> kernels, List<Cell> cells, Memory memory) {}

  CodecBench(Settings settings, KernelSwitch kernels) {
    this.settings = settings;
    this.kernels = kernels;
    settings.kernels().forEach(kernel -> problems.put(kernel, kernels.problem(kernel)));
  }

  /** All that is to be measured. Allocates the memory for it. */
  List<InterleavedTasks> groups() {
    List<InterleavedTasks> groups = new ArrayList<>();
    for (Cell cell : settings.cells()) {
      CellBuffers buffers = new CellBuffers(cell, settings.memory());
      Map<ErasureCodec, CodecUnits> units = new LinkedHashMap<>();
      settings.codecs().forEach(codec -> units.put(codec, new CodecUnits(codec, buffers, kernels)));
      Map<StripeShape, List<ErasureCodec>> byPeer = new LinkedHashMap<>();
      for (ErasureCodec codec : settings.codecs()) {
        byPeer.computeIfAbsent(hadoop(codec), shape -> new ArrayList<>()).add(codec);
      }
      byPeer.forEach(
          (shape, codecs) -> {
            CodecUnits same = new CodecUnits(reedSolomon(shape), buffers, kernels);
            for (CodecOperation operation : CodecOperation.values()) {
              groups.addAll(
                  InterleavedTasks.of(
                      Optional.of(peer(operation, same, cell)),
                      tasks(operation, codecs.stream().map(units::get).toList(), cell)));
            }
          });
    }
    groups.addAll(
        InterleavedTasks.of(
            Optional.empty(),
            settings.codecs().stream()
                .<Task>map(codec -> new PlanningTask(planning(codec), codec))
                .toList()));
    return groups;
  }

  private static StripeShape hadoop(ErasureCodec codec) {
    return HADOOP.contains(codec.shape()) ? codec.shape() : USUAL;
  }

  private static ErasureCodec reedSolomon(StripeShape shape) {
    return Codecs.parse("rs-%d-%d".formatted(shape.dataUnits(), shape.parityUnits()));
  }

  private static Task peer(CodecOperation operation, CodecUnits units, Cell cell) {
    String name = "hadoop " + name(units.codec().name(), operation, cell);
    return switch (operation) {
      case ENCODE -> HadoopTask.encoding(name, units);
      case DECODE_ONE -> HadoopTask.rebuilding(name, units, 1);
      case DECODE_MOST -> HadoopTask.rebuilding(name, units, units.codec().shape().parityUnits());
    };
  }

  /** Ordered by kernel: those that are compared with each other run close together. */
  private List<Task> tasks(CodecOperation operation, List<CodecUnits> codecs, Cell cell) {
    List<Task> ordered = new ArrayList<>();
    problems.forEach(
        (kernel, problem) -> {
          if (problem.isEmpty()) {
            for (CodecUnits units : codecs) {
              CodecTask task = task(operation, units, cell, kernel);
              tasks.put(task.name(), task);
              ordered.add(task);
            }
          }
        });
    return ordered;
  }

  private CodecTask task(CodecOperation operation, CodecUnits units, Cell cell, String kernel) {
    String name = name(units.codec().name(), operation, cell, kernel);
    Runnable use = () -> kernels.use(kernel);
    return operation == CodecOperation.ENCODE
        ? CodecTask.encoding(name, units, use)
        : CodecTask.rebuilding(name, units, use, operation.lost(units.codec()));
  }

  private static String name(String codec, CodecOperation operation, Cell cell) {
    return "%s %s %s".formatted(codec, operation.word(), cell);
  }

  /** Returns the name of a row, which is also the name of the task that is measured for it. */
  static String name(String codec, CodecOperation operation, Cell cell, String kernel) {
    return name(codec, operation, cell) + " " + kernel;
  }

  private static String planning(ErasureCodec codec) {
    return codec.name() + " plan";
  }

  /** What came out, in the order of the settings. */
  List<Row> rows(Map<String, TaskSpeed> outcomes) {
    List<Row> rows = new ArrayList<>();
    for (ErasureCodec codec : settings.codecs()) {
      problems.forEach(
          (kernel, problem) -> {
            for (CodecOperation operation : CodecOperation.values()) {
              for (Cell cell : settings.cells()) {
                rows.add(row(codec, operation, cell, kernel, problem, outcomes));
              }
            }
          });
      rows.add(
          Row.measured(planning(codec), outcomes.get(planning(codec)), PLANS)
              .withGoal(CodecGoals.PLANS));
    }
    rows.addAll(besideReedSolomon(outcomes));
    rows.addAll(new CodecChart(settings.cells().get(0), problems, outcomes).rows());
    return rows;
  }

  private static Row row(
      ErasureCodec codec,
      CodecOperation operation,
      Cell cell,
      String kernel,
      Optional<String> problem,
      Map<String, TaskSpeed> outcomes) {
    String name = name(codec.name(), operation, cell, kernel);
    if (problem.isPresent()) {
      return Row.absent(name, INPUT, problem.get());
    }
    Row row = Row.measured(name, outcomes.get(name), INPUT);
    if (operation != CodecOperation.ENCODE) {
      row = row.withNote("lost " + operation.lost(codec));
    }
    var goal = CodecGoals.besideHadoop(codec.name(), operation, kernel);
    return goal.isPresent() ? row.withGoal(goal.getAsDouble()) : row;
  }

  /** What a codec with cheap repairs costs and gains, kernel by kernel. */
  private List<Row> besideReedSolomon(Map<String, TaskSpeed> outcomes) {
    List<Row> rows = new ArrayList<>();
    for (String kernel : settings.kernels()) {
      for (Cell cell : settings.cells()) {
        Function<String, String> encoding =
            codec -> name(codec, CodecOperation.ENCODE, cell, kernel);
        if (outcomes.containsKey(encoding.apply(LESS))
            && outcomes.containsKey(encoding.apply(BASE))) {
          rows.add(
              Row.beside(
                      encoding.apply(LESS) + " vs RS",
                      INPUT,
                      outcomes.get(encoding.apply(LESS)).rate(),
                      encoding.apply(BASE),
                      outcomes.get(encoding.apply(BASE)).rate())
                  .withGoal(CodecGoals.LESS_ENCODING));
        }
        String light = name(LRC, CodecOperation.DECODE_ONE, cell, kernel);
        String heavy = name(BASE, CodecOperation.DECODE_ONE, cell, kernel);
        if (outcomes.containsKey(light) && outcomes.containsKey(heavy)) {
          rows.add(
              Row.beside(
                      "%s repair %s %s".formatted(LRC, cell, kernel),
                      INPUT,
                      rebuilt(light, outcomes),
                      heavy,
                      rebuilt(heavy, outcomes))
                  .withGoal(CodecGoals.LRC_REPAIR));
        }
      }
    }
    return rows;
  }

  /** By the time for the unit: how much is read for it is not counted. */
  private Samples rebuilt(String name, Map<String, TaskSpeed> outcomes) {
    return outcomes.get(name).rate().times(tasks.get(name).resultPerByteRead());
  }

  /** Returns the sentences that explain the rows. */
  List<String> method() {
    String ours =
        settings.memory() == Memory.DIRECT ? "direct and aligned to 64 bytes" : "on the heap, too";
    return Stream.of(
            METHOD.stream(),
            Stream.of(
                "Our buffers are %s; those of Hadoop's RSRawEncoder and RSRawDecoder are heap arrays, their faster way."
                    .formatted(ours)),
            settings.kernels().stream().flatMap(this::detail))
        .flatMap(Function.identity())
        .toList();
  }

  private Stream<String> detail(String kernel) {
    return kernels.detail(kernel).stream().map(detail -> "Kernel %s: %s".formatted(kernel, detail));
  }
}
