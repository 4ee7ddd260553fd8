// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.history;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.tests.history.Model.ModelFile;
import io.hdfsraid.tests.history.Tolerance.Held;
import io.hdfsraid.tests.history.Tolerance.Outlook;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One random history: what users, faults and the daemon do, one after another and, at the steps of
 * the daemon, in between. After each event what a user may read must be readable; at the end
 * everything is repaired, unraided, and deleted, and nothing of ours may be left.
 */
final class History {
  private static final List<Protection> PROTECTIONS =
      List.of(
          new Protection("rs-3-2", 1, 1),
          new Protection("rs-6-3", 1, 1),
          new Protection("rs-3-2", 2, 1),
          new Protection("hitchhiker-4-2", 1, 1));

  private static final int FIRST_FILES = 3;
  private static final int MOST_FILES = 8;
  private static final int MOST_BLOCKS = 8;
  private static final int MOST_DOWN = 2;
  private static final int TRIES = 40;
  private static final int MOST_HOURS_OFF = 400 * 24;

  private final long seed;
  private final World world;
  private final String folder;
  private final Random random;
  private final Model model = new Model();
  private final Tolerance tolerance;
  private final List<String> log = new ArrayList<>();
  private final List<Event> events;
  private int number;
  private int names;
  private boolean authorized;
  private Optional<Interruption> interruption = Optional.empty();

  /**
   * @param folder for the files of this history, not there yet or empty
   */
  History(long seed, World world, String folder) {
    this.seed = seed;
    this.world = world;
    this.folder = folder;
    this.random = new Random(seed);
    this.tolerance = new Tolerance(world, model);
    this.events = events();
  }

  /** Does something if it can be done now, and says what; empty when it cannot. */
  private interface Deed {
    Optional<String> tried() throws IOException;
  }

  private record Event(int weight, Kind kind, Deed deed) {}

  private enum Kind {
    USER,
    FAULT,
    DAEMON,
    TIME
  }

  /** What happens when the daemon has reached some more steps. */
  private static final class Interruption {
    private final boolean fatal;
    private int stepsLeft;
    private Optional<String> happened = Optional.empty();
    private Optional<Exception> failure = Optional.empty();

    Interruption(int stepsLeft, boolean fatal) {
      this.stepsLeft = stepsLeft;
      this.fatal = fatal;
    }
  }

  private List<Event> events() {
    return List.of(
        new Event(6, Kind.USER, this::create),
        new Event(4, Kind.USER, this::append),
        new Event(2, Kind.USER, this::open),
        new Event(4, Kind.USER, this::close),
        new Event(3, Kind.USER, this::truncate),
        new Event(2, Kind.USER, this::rewriteTheTail),
        new Event(3, Kind.USER, this::rename),
        new Event(2, Kind.USER, this::overwrite),
        new Event(2, Kind.USER, this::delete),
        new Event(2, Kind.USER, this::concat),
        new Event(3, Kind.USER, this::setReplication),
        new Event(1, Kind.USER, this::snapshot),
        new Event(3, Kind.USER, this::deleteSnapshot),
        new Event(3, Kind.FAULT, this::stopNode),
        new Event(4, Kind.FAULT, this::startNode),
        new Event(6, Kind.FAULT, this::loseReplica),
        new Event(1, Kind.FAULT, this::moveRoot),
        new Event(4, Kind.FAULT, this::returnRoot),
        new Event(1, Kind.FAULT, this::deleteRoot),
        new Event(1, Kind.FAULT, this::falsifyParity),
        new Event(1, Kind.FAULT, this::authorize),
        new Event(2, Kind.TIME, this::moveClock),
        new Event(16, Kind.DAEMON, this::raid),
        new Event(5, Kind.DAEMON, this::raidTogether),
        new Event(1, Kind.DAEMON, this::raidWithWrongParity),
        new Event(3, Kind.DAEMON, this::unraid),
        new Event(16, Kind.DAEMON, this::round),
        new Event(2, Kind.DAEMON, this::sweep),
        new Event(1, Kind.DAEMON, this::restart),
        new Event(5, Kind.TIME, this::time));
  }

  /** Lets it happen; the failure message begins with the seed. */
  void run(int count) throws IOException {
    try {
      world.listen((step, subject) -> reached(step));
      for (number = 1; number <= count; number++) {
        if (number <= FIRST_FILES) {
          log.add("%4d %s".formatted(number, create().orElseThrow()));
        } else {
          happen(Set.of(Kind.values()));
        }
        check();
      }
      end();
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed %d, event %d: %s%n%s"
              .formatted(seed, number, e.getMessage(), String.join("\n", log)),
          e);
    } finally {
      world.listen((step, subject) -> {});
    }
  }

  List<String> log() {
    return log;
  }

  /** Tries events until one can be done. */
  private void happen(Set<Kind> kinds) throws IOException {
    List<Event> possible = events.stream().filter(e -> kinds.contains(e.kind())).toList();
    int weights = possible.stream().mapToInt(Event::weight).sum();
    for (int tries = 0; tries < TRIES; tries++) {
      int left = random.nextInt(weights);
      Event event = possible.get(0);
      for (Event each : possible) {
        if (left < each.weight()) {
          event = each;
          break;
        }
        left -= each.weight();
      }
      Optional<String> what = event.kind() == Kind.DAEMON ? daemon(event) : event.deed().tried();
      if (what.isPresent()) {
        log.add("%4d %s".formatted(number, what.get()));
        return;
      }
    }
    log.add("%4d nothing can be done".formatted(number));
  }

  /** Something the daemon does, and perhaps what comes in between. */
  private Optional<String> daemon(Event event) throws IOException {
    if (random.nextInt(3) == 0) {
      interruption = Optional.of(new Interruption(1 + random.nextInt(9), random.nextInt(3) == 0));
    }
    String ending = "";
    Optional<Exception> failure = Optional.empty();
    Optional<String> what = Optional.empty();
    try {
      what = event.deed().tried();
    } catch (Halted e) {
      ending = "";
    } finally {
      if (interruption.isPresent()) {
        ending = interruption.get().happened.map(between -> " [" + between + "]").orElse("");
        boolean died = interruption.get().fatal && !ending.isEmpty();
        failure = interruption.get().failure;
        interruption = Optional.empty();
        if (died) {
          world.restartDaemon();
        }
      }
    }
    if (failure.isPresent()) {
      throw new IOException("%s: %s".formatted(ending, failure.get()), failure.get());
    }
    String end = ending;
    return what.map(done -> done + end)
        .or(() -> end.isEmpty() ? Optional.empty() : Optional.of("daemon" + end));
  }

  /** Called by whichever thread of the daemon does the step; the others wait meanwhile. */
  private synchronized void reached(Enum<?> step) {
    if (interruption.isEmpty()) {
      return;
    }
    Interruption now = interruption.get();
    if (now.fatal && now.happened.isPresent()) {
      throw new Halted(step.name());
    }
    now.stepsLeft--;
    if (now.stepsLeft != 0) {
      return;
    }
    if (now.fatal) {
      now.happened = Optional.of("halted after " + step);
      throw new Halted(step.name());
    }
    int before = log.size();
    try {
      happen(Set.of(Kind.USER, Kind.FAULT, Kind.TIME));
    } catch (IOException | RuntimeException e) {
      // Not to be thrown at the daemon, which bears much.
      now.failure = Optional.of(e);
      log.add("");
    }
    now.happened = Optional.of("after %s: %s".formatted(step, log.remove(before).strip()));
  }

  // Users

  private Optional<String> create() throws IOException {
    if (model.paths().size() >= MOST_FILES) {
      return Optional.empty();
    }
    String path = folder + "/f" + ++names;
    byte[] bytes = bytes(1 + random.nextInt(MOST_BLOCKS * world.blockSize()));
    world.create(path, bytes, 3);
    model.put(path, new ModelFile(bytes, 3, 3));
    return Optional.of("create %s, %d bytes".formatted(path, bytes.length));
  }

  private Optional<String> append() throws IOException {
    Optional<String> path = quietFile();
    if (path.isEmpty()) {
      return path;
    }
    byte[] more = bytes(1 + random.nextInt(2 * world.blockSize()));
    world.append(path.get(), more);
    grow(path.get(), more);
    return path.map(p -> "append %d bytes to %s".formatted(more.length, p));
  }

  private Optional<String> open() throws IOException {
    Optional<String> path = quietFile();
    if (path.isEmpty() || !model.open().isEmpty()) {
      return Optional.empty();
    }
    byte[] more = bytes(1 + random.nextInt(world.blockSize()));
    world.appendAndStayOpen(path.get(), more);
    model.opened(path.get());
    grow(path.get(), more);
    return path.map(p -> "append %d bytes to %s and keep it open".formatted(more.length, p));
  }

  private Optional<String> close() throws IOException {
    Optional<String> path = model.open().stream().findFirst();
    if (path.isPresent()) {
      world.closeFile(path.get());
      model.closed(path.get());
    }
    return path.map(p -> "close " + p);
  }

  private void grow(String path, byte[] more) {
    byte[] old = model.file(path).bytes();
    byte[] bytes = Arrays.copyOf(old, old.length + more.length);
    System.arraycopy(more, 0, bytes, old.length, more.length);
    model.put(path, model.file(path).with(bytes));
  }

  private Optional<String> truncate() throws IOException {
    Optional<String> path = quietFile();
    if (path.isEmpty()) {
      return path;
    }
    int length = model.file(path.get()).bytes().length;
    // Half of them at the end of a block.
    int cut = random.nextInt(length) + 1;
    if (random.nextBoolean()) {
      cut = Math.max(1, cut / world.blockSize()) * world.blockSize();
    }
    if (cut >= length) {
      return Optional.empty();
    }
    shorten(path.get(), cut);
    return Optional.of("truncate %s to %d bytes".formatted(path.get(), cut));
  }

  private void shorten(String path, int length) throws IOException {
    world.truncate(path, length);
    model.put(path, model.file(path).with(Arrays.copyOf(model.file(path).bytes(), length)));
  }

  /** The same length, and often the same block ids, with other bytes. */
  private Optional<String> rewriteTheTail() throws IOException {
    Optional<String> path = quietFile();
    if (path.isEmpty() || model.file(path.get()).bytes().length < 2) {
      return Optional.empty();
    }
    int length = model.file(path.get()).bytes().length;
    int tail = 1 + random.nextInt(Math.min(length - 1, world.blockSize()));
    shorten(path.get(), length - tail);
    byte[] other = bytes(tail);
    world.append(path.get(), other);
    grow(path.get(), other);
    return Optional.of("write the last %d bytes of %s anew".formatted(tail, path.get()));
  }

  private Optional<String> rename() throws IOException {
    Optional<String> path = pick(model.closed());
    if (path.isEmpty()) {
      return path;
    }
    Optional<String> over =
        random.nextInt(4) == 0
            ? quietFile().filter(p -> !p.equals(path.get()))
            : Optional.of(folder + "/f" + ++names);
    if (over.isEmpty()) {
      return over;
    }
    world.rename(path.get(), over.get());
    model.put(over.get(), model.file(path.get()));
    model.remove(path.get());
    return Optional.of("rename %s to %s".formatted(path.get(), over.get()));
  }

  private Optional<String> overwrite() throws IOException {
    Optional<String> path = quietFile();
    if (path.isEmpty()) {
      return path;
    }
    // Often the same length, so that only the inode tells.
    int length =
        random.nextBoolean()
            ? model.file(path.get()).bytes().length
            : 1 + random.nextInt(MOST_BLOCKS * world.blockSize());
    byte[] bytes = bytes(length);
    world.create(path.get(), bytes, 3);
    model.put(path.get(), new ModelFile(bytes, 3, 3));
    return Optional.of("overwrite %s with %d bytes".formatted(path.get(), length));
  }

  private Optional<String> delete() throws IOException {
    Optional<String> path = quietFile();
    if (path.isPresent()) {
      world.delete(path.get());
      model.remove(path.get());
    }
    return path.map(p -> "delete " + p);
  }

  private Optional<String> concat() throws IOException {
    Optional<String> target = quietFile();
    Optional<String> source = quietFile();
    // HDFS refuses sources that a snapshot holds.
    if (target.isEmpty() || source.isEmpty() || target.equals(source) || model.hasSnapshot()) {
      return Optional.empty();
    }
    world.concat(target.get(), source.get());
    ModelFile moved = model.file(source.get());
    grow(target.get(), moved.bytes());
    // Whose blocks were under parity has what they had before, too.
    model.put(target.get(), model.file(target.get()).withMost(moved.most()));
    model.remove(source.get());
    return Optional.of("concat %s onto %s".formatted(source.get(), target.get()));
  }

  private Optional<String> setReplication() throws IOException {
    Optional<String> path = pick(model.closed());
    if (path.isEmpty()) {
      return path;
    }
    int replication = 2 + random.nextInt(3);
    world.setReplication(path.get(), replication);
    model.put(path.get(), model.file(path.get()).withWish(replication));
    return Optional.of("set the replication of %s to %d".formatted(path.get(), replication));
  }

  private Optional<String> snapshot() throws IOException {
    if (model.hasSnapshot() || !model.open().isEmpty() || !allWhole()) {
      return Optional.empty();
    }
    world.snapshot();
    model.takeSnapshot();
    return Optional.of("take a snapshot");
  }

  private Optional<String> deleteSnapshot() throws IOException {
    if (!model.hasSnapshot()) {
      return Optional.empty();
    }
    world.deleteSnapshot();
    model.dropSnapshot();
    return Optional.of("delete the snapshot");
  }

  private boolean allWhole() throws IOException {
    for (String path : model.paths()) {
      if (!tolerance.isWhole(path)) {
        return false;
      }
    }
    return true;
  }

  private Optional<String> pick(List<String> paths) {
    return paths.isEmpty()
        ? Optional.empty()
        : Optional.of(paths.get(random.nextInt(paths.size())));
  }

  /**
   * A file that nobody writes to, that has no damage, and without which the files that share
   * stripes with it are safe: whoever changes a file takes away units that others may need just
   * now.
   */
  private Optional<String> quietFile() throws IOException {
    Optional<String> path = pick(model.closed());
    boolean quiet =
        path.isPresent()
            && tolerance.isWhole(path.get())
            && tolerance.firstLossWithout(path.get()).isEmpty();
    return quiet ? path : Optional.empty();
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  // Faults

  private Optional<String> stopNode() throws IOException {
    int node = random.nextInt(world.nodes());
    long down = IntStream.range(0, world.nodes()).filter(n -> !world.isUp(n)).count();
    if (!world.isUp(node) || down >= MOST_DOWN || !model.open().isEmpty()) {
      return Optional.empty();
    }
    if (!world.calm()
        || tolerance.firstLoss((block, on) -> on == node, Outlook.WORST).isPresent()) {
      return Optional.empty();
    }
    world.stop(node);
    return Optional.of("stop node " + node);
  }

  private Optional<String> startNode() throws IOException {
    List<Integer> down = down();
    if (down.isEmpty()) {
      return Optional.empty();
    }
    int node = down.get(random.nextInt(down.size()));
    world.start(node);
    return Optional.of("start node " + node);
  }

  private List<Integer> down() {
    return IntStream.range(0, world.nodes()).filter(node -> !world.isUp(node)).boxed().toList();
  }

  private Optional<String> loseReplica() throws IOException {
    if (!model.open().isEmpty() || !world.calm()) {
      return Optional.empty();
    }
    List<Held> held = random.nextInt(4) == 0 ? tolerance.parityBlocks() : tolerance.liveBlocks();
    if (held.isEmpty()) {
      return Optional.empty();
    }
    Held block = held.get(random.nextInt(held.size()));
    List<World.Copy> copies =
        world.copies(block.block(), block.crc()).stream()
            .filter(copy -> world.isUp(copy.node()) && copy.sound())
            .toList();
    if (copies.isEmpty()) {
      return Optional.empty();
    }
    int node = copies.get(random.nextInt(copies.size())).node();
    boolean rot = random.nextBoolean();
    boolean bearable =
        tolerance
                .firstLoss((b, on) -> on == node && b.equals(block.block()), Outlook.WORST)
                .isEmpty()
            && (!model.has(block.where()) || bearsDoubt(block));
    if (!bearable) {
      return Optional.empty();
    }
    if (rot) {
      world.rot(block.block(), node);
    } else {
      world.deleteReplica(block.block(), node);
    }
    return Optional.of(
        "%s %s of %s on node %d"
            .formatted(rot ? "rot" : "lose", block.block(), block.where(), node));
  }

  /** Whoever moves or deletes the root takes the protection away: nothing may need it just then. */
  private boolean needsNoParity() throws IOException {
    return model.open().isEmpty() && !world.isRootAway() && world.calm() && allWhole();
  }

  private Optional<String> moveRoot() throws IOException {
    if (!needsNoParity()) {
      return Optional.empty();
    }
    world.moveRoot();
    return Optional.of("move the root away");
  }

  private Optional<String> returnRoot() throws IOException {
    if (!world.isRootAway()) {
      return Optional.empty();
    }
    world.returnRoot();
    return Optional.of("move the root back");
  }

  private Optional<String> deleteRoot() throws IOException {
    if (!needsNoParity()) {
      return Optional.empty();
    }
    world.deleteRoot();
    return Optional.of("delete the root");
  }

  /** The unit counts as lost from then on. */
  private Optional<String> falsifyParity() throws IOException {
    List<Held> parity = tolerance.parityBlocks();
    if (parity.isEmpty() || !needsNoParity()) {
      return Optional.empty();
    }
    Held unit = parity.get(random.nextInt(parity.size()));
    boolean bearable =
        tolerance.firstLoss((block, on) -> block.equals(unit.block()), Outlook.WORST).isEmpty();
    return bearable && world.falsify(unit.block())
        ? Optional.of("make %s of %s wrong".formatted(unit.block(), unit.where()))
        : Optional.empty();
  }

  private Optional<String> authorize() {
    boolean external = !authorized;
    if (!world.authorize(external)) {
      return Optional.empty();
    }
    authorized = external;
    return Optional.of(external ? "an authorizer decides" : "HDFS decides who may read");
  }

  private Optional<String> moveClock() {
    Duration off = Duration.ofHours(random.nextInt(2 * MOST_HOURS_OFF) - MOST_HOURS_OFF);
    world.setClockOff(off);
    return Optional.of("the clock is %d hours off".formatted(off.toHours()));
  }

  /**
   * Of a file that may yet be raided the NameNode may keep the bad replica of each block: no more
   * of them than any codec bears.
   */
  private boolean bearsDoubt(Held block) throws IOException {
    return underParity().contains(inode(block.where())) || tolerance.doubtful(block.where()) == 0;
  }

  // The daemon

  private Optional<String> raid() throws IOException {
    Optional<String> path = pick(model.paths());
    if (path.isEmpty()) {
      return path;
    }
    Protection protection = PROTECTIONS.get(random.nextInt(PROTECTIONS.size()));
    long inode = inode(path.get());
    String how = attempt(() -> world.raid(inode, protection));
    return Optional.of("raid %s with %s%s".formatted(path.get(), protection.codec(), how));
  }

  /** Nobody may commit it. */
  private Optional<String> raidWithWrongParity() throws IOException {
    if (world.isRootAway() || !world.computeWrongParity(true)) {
      return Optional.empty();
    }
    Set<Long> before = parityFiles();
    Optional<String> what;
    try {
      what = random.nextBoolean() ? raid() : raidTogether();
    } finally {
      world.computeWrongParity(false);
    }
    if (!before.containsAll(parityFiles())) {
      throw new AssertionError("Wrong parity was committed: " + what.orElse(""));
    }
    return what.map(done -> "wrongly " + done);
  }

  private Set<Long> parityFiles() throws IOException {
    return tolerance.parities().stream()
        .map(parity -> parity.file().inode())
        .collect(Collectors.toSet());
  }

  private Optional<String> raidTogether() throws IOException {
    List<String> paths = model.paths();
    Collections.shuffle(paths, random);
    List<String> some = paths.subList(0, Math.min(paths.size(), 2 + random.nextInt(MOST_FILES)));
    Protection protection = PROTECTIONS.get(random.nextInt(PROTECTIONS.size()));
    List<Long> inodes = new ArrayList<>();
    for (String path : some) {
      inodes.add(inode(path));
    }
    if (some.size() < 2) {
      return Optional.empty();
    }
    String how = attempt(() -> world.raidTogether(inodes, protection));
    return Optional.of("raid %s together with %s%s".formatted(some, protection.codec(), how));
  }

  private Optional<String> unraid() throws IOException {
    List<ParityFile> parities = tolerance.parities();
    if (parities.isEmpty()) {
      return Optional.empty();
    }
    ParityFile parity = parities.get(random.nextInt(parities.size()));
    List<Member> members = parity.manifest().members();
    long inode = members.get(random.nextInt(members.size())).inode();
    String how = attempt(() -> world.unraid(inode));
    return Optional.of("unraid inode %d%s".formatted(inode, how));
  }

  private Optional<String> round() throws IOException {
    String how = attempt(world::round);
    boolean undisturbed = how.isEmpty() && interruption.isEmpty();
    if (authorized && undisturbed && !world.readableParity().isEmpty()) {
      throw new AssertionError(
          "An authorizer decides, and yet others may read " + world.readableParity());
    }
    return Optional.of("round" + how);
  }

  private Optional<String> sweep() throws IOException {
    return Optional.of("sweep" + attempt(world::sweep));
  }

  private Optional<String> restart() throws IOException {
    world.restartDaemon();
    return Optional.of("restart the daemon");
  }

  private Optional<String> time() throws IOException {
    world.timePasses();
    return Optional.of("time passes");
  }

  private interface Work {
    void run() throws IOException;
  }

  /** That HDFS does not answer as it should is for the daemon to bear, and to try again. */
  private static String attempt(Work work) {
    try {
      work.run();
      return "";
    } catch (IOException e) {
      return " (%s)".formatted(e.getMessage());
    }
  }

  private long inode(String path) throws IOException {
    return world.access().namespace().file(path).orElseThrow().inode();
  }

  /** Inodes of all files that some parity names. */
  private Set<Long> underParity() throws IOException {
    return tolerance.parities().stream()
        .flatMap(parity -> parity.manifest().members().stream())
        .map(Member::inode)
        .collect(Collectors.toSet());
  }

  // What must hold

  private void check() throws IOException {
    Optional<String> loss = tolerance.firstLoss(Tolerance.NONE, Outlook.NOW);
    if (loss.isPresent()) {
      // Disks are looked at one after another, and a replica may move from one to another
      // meanwhile.
      loss = tolerance.firstLoss(Tolerance.NONE, Outlook.NOW);
    }
    if (loss.isPresent()) {
      throw new AssertionError("Lost for good: %s%n%s".formatted(loss.get(), world.describe()));
    }
    List<String> paths = model.paths();
    for (int i = 0; i < Math.min(paths.size(), world.readsPerEvent()); i++) {
      String path = paths.get((number + i) % paths.size());
      Optional<byte[]> read = read(path);
      if (read.isPresent()) {
        requireEqual("Read through losses", path, read.get(), model.file(path).bytes());
      }
    }
  }

  /** Reads through losses; empty if only wrong parity could tell: that must not be believed. */
  private Optional<byte[]> read(String path) throws IOException {
    try {
      return Optional.of(world.read(path));
    } catch (IOException e) {
      if (world.isRootAway() || !world.hasFalseParity(path)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private void requireEqual(String how, String path, byte[] read, byte[] written) {
    int different = Arrays.mismatch(read, written);
    if (different >= 0) {
      throw new AssertionError(
          "%s, %s has %d bytes and differs at byte %d from the %d that were written"
              .formatted(how, path, read.length, different, written.length));
    }
  }

  private void end() throws IOException {
    log.add("     the end: all nodes up, everything closed, the root and the clock as they were");
    world.returnRoot();
    world.setClockOff(Duration.ZERO);
    if (authorized) {
      log.add("     " + authorize().orElseThrow());
    }
    for (String path : model.open()) {
      world.closeFile(path);
      model.closed(path);
    }
    for (int node = 0; node < world.nodes(); node++) {
      if (!world.isUp(node)) {
        world.start(node);
      }
    }
    settle("everything is whole again", this::firstNotWhole);
    for (Map.Entry<String, byte[]> file : model.snapshot().entrySet()) {
      requireEqual(
          "In the snapshot", file.getKey(), world.readInSnapshot(file.getKey()), file.getValue());
    }
    log.add("     the end: no snapshot, everything unraided");
    deleteSnapshot();
    settle("every file has its replicas and no parity", this::firstNotUnraided);
    log.add("     the end: everything deleted");
    for (String path : model.paths()) {
      world.delete(path);
      model.remove(path);
    }
    settle("nothing of ours is left", this::firstLeft);
  }

  private interface Lack {
    Optional<String> first() throws IOException;
  }

  private void settle(String what, Lack lack) throws IOException {
    Optional<String> first = Optional.empty();
    for (int round = 0; round < world.patience(); round++) {
      first = lack.first();
      if (first.isEmpty()) {
        return;
      }
      String how = attempt(world::round);
      first = first.map(each -> each + how);
      world.timePasses();
    }
    throw new AssertionError(
        "Never comes true: %s; %s%n%s".formatted(what, first.orElse(""), world.describe()));
  }

  private Optional<String> firstNotWhole() throws IOException {
    for (String path : model.paths()) {
      byte[] written = model.file(path).bytes();
      Optional<byte[]> read = read(path);
      if (read.isEmpty()) {
        return Optional.of("%s cannot be read through its losses".formatted(path));
      }
      requireEqual("Read through losses", path, read.get(), written);
      try {
        requireEqual("Read by a plain client", path, world.readPlain(path), written);
      } catch (IOException e) {
        return Optional.of("%s: %s".formatted(path, e.getMessage()));
      }
    }
    return Optional.empty();
  }

  private Optional<String> firstNotUnraided() throws IOException {
    Set<Long> living = new HashSet<>();
    String how = "";
    for (String path : model.paths()) {
      long inode = inode(path);
      living.add(inode);
      if (underParity().contains(inode)) {
        how += attempt(() -> world.unraid(inode));
      }
    }
    for (String path : model.paths()) {
      if (underParity().contains(inode(path))) {
        return Optional.of("%s has parity%s".formatted(path, how));
      }
      LocatedFile file = world.access().namespace().file(path).orElseThrow();
      ModelFile written = model.file(path);
      String replication =
          "%s has replication %d; its users asked for %d, and never for more than %d"
              .formatted(path, file.replication(), written.wish(), written.most());
      if (file.replication() > written.most()) {
        throw new AssertionError(replication);
      }
      if (file.replication() < written.wish()) {
        return Optional.of(replication); // the next round raises it if somebody deleted the root
      }
      for (LocatedBlock block : file.blocks()) {
        if (block.live().size() != file.replication()) {
          return Optional.of(
              "%s of %s has %d replicas, not %d"
                  .formatted(block.block(), path, block.live().size(), file.replication()));
        }
      }
      requireEqual("Let go", path, world.readPlain(path), written.bytes());
    }
    for (ParityFile parity : tolerance.parities()) {
      boolean ofALivingFile =
          parity.manifest().members().stream().anyMatch(member -> living.contains(member.inode()));
      if (ofALivingFile) {
        return Optional.of("there is parity of inode " + parity.manifest().members());
      }
    }
    return Optional.empty();
  }

  private Optional<String> firstLeft() throws IOException {
    world.sweep();
    List<String> left = new ArrayList<>();
    tolerance.parities().forEach(parity -> left.add(parity.file().path()));
    world.access().parity().forEachQuarantined(parity -> left.add(parity.file().path()));
    return left.stream().findFirst().map(path -> path + " is left");
  }
}
