// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.job;

import io.github.bucket4j.Bucket;
import io.hdfsraid.blockfixer.hdfs.HdfsBlockDelivery;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.yarn.task.StripeMapper;
import io.hdfsraid.yarn.work.Work;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Submits MapReduce jobs that encode or repair stripes. A job has no reducers. What a task answers
 * at its end becomes visible when its output is committed, so a task that is killed or runs twice
 * answers at most once. Safe for concurrent use.
 */
public final class StripeJobs {
  /** Hadoop waits for a quarter of an hour, in which no other job would be looked after. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /** Hadoop counts attempts, however long each of them takes. */
  private static final int ATTEMPTS = 6;

  /** Memory of a container that is not for the heap of its Java. */
  private static final double HEAP_SHARE = 0.8;

  private final Configuration conf;

  /** The same for questions of this process to the ResourceManager. */
  private final Configuration asking;

  private final String blockPool;
  private final ContainerSettings settings;
  private final JobUser user;

  /**
   * @param conf with the {@code yarn-site.xml} and {@code mapred-site.xml} of the cluster
   * @param blockPool the block pool of all data
   * @param patience how long to wait for a ResourceManager that refuses connections, but 30 s at
   *     most. One that accepts them and says nothing takes four times as long, and a dead machine
   *     some minutes: all Hadoop clients of a process share their timeout for connecting
   */
  public StripeJobs(
      Configuration conf, String blockPool, ContainerSettings settings, Duration patience)
      throws IOException {
    // The constructors of both read the files of YARN and MapReduce on the class path.
    this.conf = new JobConf(new YarnConfiguration(conf));
    this.conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    this.conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME);
    Duration longest = patience.compareTo(LONGEST_WAIT) < 0 ? patience : LONGEST_WAIT;
    long between = Math.max(1, longest.toMillis() / ATTEMPTS);
    limitAttempts(this.conf, between);
    this.asking = asking(this.conf, between);
    this.blockPool = blockPool;
    this.settings = settings;
    this.user = JobUser.of(settings);
  }

  /**
   * Hadoop's default of 30 s between attempts would never ask the second ResourceManager. The
   * ApplicationMaster gets the same limits with the job, and has a patience of its own above them.
   */
  private static void limitAttempts(Configuration conf, long between) {
    conf.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, ATTEMPTS * between);
    conf.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, between);
    conf.setInt(YarnConfiguration.CLIENT_FAILOVER_MAX_ATTEMPTS, ATTEMPTS);
    conf.setLong(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_BASE_MS, between);
    conf.setLong(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_MAX_MS, between);
  }

  /**
   * Hadoop's remote calls repeat each attempt on their own: ten times with a second between, or 45
   * times 20 s if the machine is dead; and they wait two minutes for each answer. The dispatcher of
   * all jobs waits here, unlike the tasks.
   */
  private static Configuration asking(Configuration conf, long between) {
    Configuration asking = new YarnConfiguration(conf);
    asking.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    asking.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    asking.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, Math.toIntExact(2 * between));
    return asking;
  }

  /** Returns the user as whom jobs run, who must own what they write into. */
  public String user() {
    return user.name();
  }

  /**
   * Submits a job.
   *
   * @param name for people
   * @param workspace a directory of HDFS that belongs to the user and is empty
   * @param tag by which a successor of this daemon finds the job
   * @param nodes all DataNodes, from which tasks know their own rack
   * @param containers how many may run at the same time
   * @param bytesPerSecond what each task may read and write at first; 0 for no limit
   */
  public StripeJob submit(
      String name,
      String workspace,
      String tag,
      List<? extends Work> stripes,
      Collection<DataNode> nodes,
      int containers,
      long bytesPerSecond)
      throws IOException {
    Configuration job = new Configuration(conf);
    ask(job);
    job.setInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, containers);
    job.set(MRJobConfig.JOB_TAGS, tag);
    return user.call(() -> submit(job, name, workspace, stripes, nodes, bytesPerSecond));
  }

  /**
   * What came of ending jobs.
   *
   * @param failed for people: which jobs could not be ended, and why
   */
  public record Ended(int jobs, List<String> failed) {}

  /** Ends all jobs with the tag that have not ended. */
  public Ended killAll(String tag) throws IOException {
    return user.call(
        () -> {
          try (YarnClient yarn = client()) {
            GetApplicationsRequest request = GetApplicationsRequest.newInstance();
            request.setApplicationTags(Set.of(tag));
            request.setApplicationStates(
                EnumSet.of(
                    YarnApplicationState.NEW,
                    YarnApplicationState.NEW_SAVING,
                    YarnApplicationState.SUBMITTED,
                    YarnApplicationState.ACCEPTED,
                    YarnApplicationState.RUNNING));
            int killed = 0;
            List<String> failed = new ArrayList<>();
            for (ApplicationReport report : yarn.getApplications(request)) {
              try {
                yarn.killApplication(report.getApplicationId());
                killed++;
              } catch (IOException | YarnException e) {
                failed.add(report.getApplicationId() + ": " + e.getMessage());
              }
            }
            return new Ended(killed, failed);
          }
        });
  }

  /**
   * Asks YARN for what decides whether jobs can run.
   *
   * @throws IOException if it does not answer, or does not let the user ask
   */
  public YarnFacts facts() throws IOException {
    return user.call(
        () -> {
          try (YarnClient yarn = client()) {
            Resource largest =
                yarn.createApplication().getNewApplicationResponse().getMaximumResourceCapability();
            return new YarnFacts(
                user(),
                yarn.getYarnClusterMetrics().getNumActiveNodeManagers(),
                largest.getMemorySize(),
                largest.getVirtualCores(),
                settings.queue().isEmpty()
                    ? Optional.empty()
                    : Optional.of(queue(yarn, settings.queue().get())));
          }
        });
  }

  private static YarnFacts.Queue queue(YarnClient yarn, String name)
      throws IOException, YarnException {
    return new YarnFacts.Queue(
        name,
        yarn.getAllQueues().stream()
            .filter(queue -> isNamed(name, queue.getQueueName()))
            .map(queue -> queue.getQueueState().name())
            .findFirst(),
        yarn.getQueueAclsInfo().stream()
            .filter(acls -> isNamed(name, acls.getQueueName()))
            .anyMatch(
                acls ->
                    acls.getUserAcls().contains(QueueACL.SUBMIT_APPLICATIONS)
                        || acls.getUserAcls().contains(QueueACL.ADMINISTER_QUEUE)));
  }

  /** YARN may name a queue by its path; people name its last part, or the path. */
  private static boolean isNamed(String queue, String path) {
    return path.equals(queue) || path.endsWith("." + queue) || queue.endsWith("." + path);
  }

  private YarnClient client() {
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(asking);
    yarn.start();
    return yarn;
  }

  private StripeJob submit(
      Configuration conf,
      String name,
      String workspace,
      List<? extends Work> stripes,
      Collection<DataNode> nodes,
      long bytesPerSecond)
      throws IOException, InterruptedException, ClassNotFoundException {
    FileSystem fileSystem = FileSystem.newInstance(conf);
    YarnClient yarn = null;
    try {
      StripeJobFiles files = new StripeJobFiles(fileSystem, workspace);
      Job job =
          files.prepare(
              conf, name, stripes, blockPool, nodes, settings.bytesPerTask(), bytesPerSecond);
      yarn = client(); // before, so that no job is submitted that nobody can follow
      requireAnswer(yarn);
      job.submit();
      ApplicationId application = TypeConverter.toYarn(job.getJobID()).getAppId();
      Path staging = new Path(job.getConfiguration().get(MRJobConfig.MAPREDUCE_JOB_DIR));
      job.close();
      return new StripeJob(application, yarn, fileSystem, files, staging, user);
    } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException e) {
      if (yarn != null) {
        yarn.stop();
      }
      fileSystem.close();
      throw e;
    }
  }

  /** Otherwise MapReduce's own client would wait, and its patience is not ours. */
  private static void requireAnswer(YarnClient yarn) throws IOException {
    try {
      yarn.getYarnClusterMetrics();
    } catch (YarnException e) {
      throw new IOException(e);
    }
  }

  private void ask(Configuration job) {
    settings.queue().ifPresent(queue -> job.set(MRJobConfig.QUEUE_NAME, queue));
    job.setInt(MRJobConfig.PRIORITY, settings.priority());
    settings.nodeLabel().ifPresent(label -> job.set(MRJobConfig.JOB_NODE_LABEL_EXP, label));
    job.setInt(MRJobConfig.MAP_MEMORY_MB, settings.memoryMegabytes());
    job.set(
        MRJobConfig.MAP_JAVA_OPTS,
        String.format(Locale.ROOT, "-Xmx%dm", Math.round(settings.memoryMegabytes() * HEAP_SHARE)));
    job.setInt(MRJobConfig.MAP_CPU_VCORES, settings.cores());
    job.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, settings.attempts());
    // What one task cannot do is done elsewhere; it does not stop the others.
    job.setInt(MRJobConfig.MAP_FAILURES_MAX_PERCENT, 100);
    job.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    // The answers of a task are visible when it ends, not when the job ends.
    job.setInt("mapreduce.fileoutputcommitter.algorithm.version", 2);
    settings
        .javaHome()
        .ifPresent(
            home -> {
              job.set("yarn.app.mapreduce.am.env.JAVA_HOME", home);
              job.set("mapreduce.map.env.JAVA_HOME", home);
            });
    List<String> jars = jars();
    if (!jars.isEmpty()) {
      job.set("tmpjars", String.join(",", jars));
    }
  }

  /** Returns the jars that tasks need. */
  private static List<String> jars() {
    return sources().filter(File::isFile).map(file -> file.toURI().toString()).toList();
  }

  /**
   * Returns folders with classes that tasks need: in a build, what is not packaged yet. They are
   * not shipped, so they must be on the class path of the containers.
   */
  public static List<java.nio.file.Path> unpackaged() {
    return sources().filter(File::isDirectory).map(File::toPath).toList();
  }

  private static Stream<File> sources() {
    return Stream.of(
            ErasureCodec.class,
            HdfsDataNodes.class,
            HdfsBlockDelivery.class,
            StripeMapper.class,
            Bucket.class)
        .flatMap(each -> Stream.ofNullable(each.getProtectionDomain().getCodeSource()))
        .map(StripeJobs::file);
  }

  private static File file(CodeSource source) {
    try {
      return new File(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
