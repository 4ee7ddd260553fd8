package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.raid.BlockHolders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Asks the NameNode's fsck servlet who holds a block: the one exact test, for it covers snapshots.
 * Needs superuser rights, as {@code hdfs fsck} does.
 */
public final class FsckBlockHolders implements BlockHolders {
  private static final Pattern PATH = Pattern.compile("^Block belongs to: (.*)$");
  private static final Pattern LIVE = Pattern.compile("^No\\. of live Replica: (\\d+)$");

  private final DistributedFileSystem fs;
  private final Configuration conf;
  private final URLConnectionFactory connections;

  public FsckBlockHolders(DistributedFileSystem fs, Configuration conf) {
    this.fs = fs;
    this.conf = conf;
    this.connections = URLConnectionFactory.newDefaultURLConnectionFactory(conf);
  }

  @Override
  public Optional<Holder> holder(long blockId) throws IOException {
    URL url = address("blk_" + blockId);
    String path = null;
    int live = -1;
    StringBuilder seen = new StringBuilder();
    HttpURLConnection connection = connect(url);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        seen.append(line).append('\n');
        Matcher inFile = PATH.matcher(line);
        if (inFile.matches()) {
          path = inFile.group(1);
        }
        Matcher replicas = LIVE.matcher(line);
        if (replicas.matches()) {
          live = Integer.parseInt(replicas.group(1));
        }
      }
    } finally {
      connection.disconnect();
    }
    if (path != null && live >= 0) {
      return Optional.of(new Holder(path, live));
    }
    if (path == null && seen.indexOf("blk_" + blockId + " does not exist") >= 0) {
      return Optional.empty();
    }
    throw new IOException(
        "The NameNode's fsck gave no clear answer about blk_%d: %s".formatted(blockId, seen));
  }

  private HttpURLConnection connect(URL url) throws IOException {
    try {
      return (HttpURLConnection)
          connections.openConnection(url, UserGroupInformation.isSecurityEnabled());
    } catch (AuthenticationException e) {
      throw new IOException("The NameNode's fsck refused us at " + url, e);
    }
  }

  private URL address(String block) throws IOException {
    InetSocketAddress active = HAUtil.getAddressOfActive(fs);
    URI server = DFSUtil.getInfoServer(active, conf, DFSUtil.getHttpClientScheme(conf));
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    return URI.create(
            server
                + "/fsck?ugi="
                + URLEncoder.encode(user, StandardCharsets.UTF_8)
                + "&blockId="
                + block)
        .toURL();
  }
}
