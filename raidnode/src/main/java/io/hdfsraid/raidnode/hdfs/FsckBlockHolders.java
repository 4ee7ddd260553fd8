package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Asks the NameNode's fsck servlet which file holds a block. This test is the only exact one,
 * because it covers snapshots. It needs superuser rights, as {@code hdfs fsck} does.
 */
public final class FsckBlockHolders implements BlockHolders {
  /** So many ids in one request: the URL stays short, and the lock is given back in between. */
  private static final int BATCH = 50;

  private static final Pattern BLOCK = Pattern.compile("^Block Id: blk_(-?\\d+)$");
  private static final Pattern PATH = Pattern.compile("^Block belongs to: (.*)$");
  private static final Pattern EXPECTED = Pattern.compile("^No\\. of Expected Replica: (\\d+)$");
  private static final Pattern LIVE = Pattern.compile("^No\\. of live Replica: (\\d+)$");
  private static final Pattern STALE = Pattern.compile("^No\\. of stale Replica: (\\d+)$");
  private static final Pattern GONE = Pattern.compile("^Block blk_(-?\\d+) does not exist$");

  private final DistributedFileSystem fs;
  private final Configuration conf;
  private final CallPermits calls;
  private final URLConnectionFactory connections;

  /**
   * Asks the active NameNode of this HDFS.
   *
   * @param calls asked before each request: fsck holds the lock of the namespace while it looks
   */
  public FsckBlockHolders(DistributedFileSystem fs, Configuration conf, CallPermits calls) {
    this.fs = fs;
    this.calls = calls;
    this.conf = conf;
    this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(conf);
  }

  @Override
  public Map<Long, Holder> holders(Collection<Long> blockIds) throws IOException {
    Map<Long, Holder> holders = new HashMap<>();
    List<Long> ids = List.copyOf(blockIds);
    for (int from = 0; from < ids.size(); from += BATCH) {
      ask(ids.subList(from, Math.min(ids.size(), from + BATCH)), holders);
    }
    return holders;
  }

  private void ask(List<Long> ids, Map<Long, Holder> holders) throws IOException {
    calls.await(1);
    Set<Long> unanswered = new HashSet<>(ids);
    StringBuilder seen = new StringBuilder();
    URL url = address(ids.stream().map(id -> "blk_" + id).collect(Collectors.joining(" ")));
    HttpURLConnection connection = connect(url);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
      Optional<Long> block = Optional.empty();
      String path = "";
      int expected = 0;
      int live = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        seen.append(line).append('\n');
        Matcher begins = BLOCK.matcher(line);
        Matcher belongs = PATH.matcher(line);
        Matcher wanted = EXPECTED.matcher(line);
        Matcher good = LIVE.matcher(line);
        Matcher stale = STALE.matcher(line);
        Matcher gone = GONE.matcher(line);
        if (begins.matches()) {
          block = Optional.of(Long.parseLong(begins.group(1)));
        } else if (belongs.matches()) {
          path = belongs.group(1);
        } else if (wanted.matches()) {
          expected = Integer.parseInt(wanted.group(1));
        } else if (good.matches()) {
          live = Integer.parseInt(good.group(1));
        } else if (stale.matches() && block.isPresent()) {
          // A NameNode that took over lists replicas whose deletion the other one has ordered.
          int sure = Math.max(0, live - Integer.parseInt(stale.group(1)));
          holders.put(block.get(), new Holder(path, expected, sure));
          unanswered.remove(block.get());
        } else if (gone.matches()) {
          unanswered.remove(Long.parseLong(gone.group(1)));
        }
      }
    } finally {
      connection.disconnect();
    }
    if (!unanswered.isEmpty()) {
      throw new IOException(
          "The NameNode's fsck gave no clear answer about blocks %s: %s"
              .formatted(unanswered, seen));
    }
  }

  private HttpURLConnection connect(URL url) throws IOException {
    try {
      return (HttpURLConnection)
          connections.openConnection(url, UserGroupInformation.isSecurityEnabled());
    } catch (AuthenticationException e) {
      throw new IOException("The NameNode's fsck refused us at " + url, e);
    }
  }

  private URL address(String blocks) throws IOException {
    InetSocketAddress active = HAUtil.getAddressOfActive(fs);
    URI server = DFSUtil.getInfoServer(active, conf, DFSUtil.getHttpClientScheme(conf));
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    return URI.create(
            server
                + "/fsck?ugi="
                + URLEncoder.encode(user, StandardCharsets.UTF_8)
                + "&blockId="
                + URLEncoder.encode(blocks, StandardCharsets.UTF_8))
        .toURL();
  }
}
