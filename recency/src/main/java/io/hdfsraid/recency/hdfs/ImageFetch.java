// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import io.hdfsraid.recency.ImageOrigin;
import io.hdfsraid.recency.fsimage.ImageDigest;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.NameNodeProxiesClient.ProxyAndInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Fetches the newest image of a NameNode over HTTP or HTTPS, if any will do from a standby, because
 * the active NameNode is busier. The user must be a superuser or an administrator, as for {@code
 * hdfs dfsadmin -fetchImage}.
 *
 * <p>A NameNode sends an image only from its beginning, so a broken transfer begins anew, with the
 * next NameNode.
 */
public final class ImageFetch {
  private static final String QUERY = "/imagetransfer?getimage=1&txid=latest";
  private static final String NAME_HEADER = "X-Image-Edits-Name";
  private static final String SUM_HEADER = "X-MD5-Digest";
  private static final Pattern NAME = Pattern.compile("fsimage_\\d+");
  private static final String PART = ".part";
  private static final int PIECE = 1 << 18;
  private static final int ROUNDS = 2;

  /** Space that stays free on the disk for other writers. */
  private static final long SPARE = 64L << 20;

  private final URI nameservice;
  private final Configuration conf;

  /** Receives the progress of a transfer. A receiver that waits slows the transfer down. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Reports that {@code received} of {@code all} bytes have arrived, the last {@code latest} at
     * once.
     */
    void received(long latest, long received, long all) throws InterruptedIOException;
  }

  /**
   * A complete image with its MD5 sum beside it.
   *
   * @param from the address of the NameNode
   */
  public record Fetched(Path file, URI from) {}

  /** Fetches from the NameNodes of a nameservice, or from a single NameNode. */
  public ImageFetch(URI nameservice, Configuration conf) {
    this.nameservice = nameservice;
    this.conf = conf;
  }

  /**
   * Downloads the image into the directory. The file gets its name only when it is complete;
   * remains of broken downloads are removed.
   *
   * @throws IOException that names the reason of each NameNode
   */
  public Fetched fetch(Path directory, ImageOrigin origin, Progress progress) throws IOException {
    Files.createDirectories(directory);
    removeParts(directory);
    int timeout = conf.getInt("dfs.image.transfer.timeout", 60_000);
    URLConnectionFactory connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(timeout, timeout, conf);
    try {
      List<URI> sources = sources(origin);
      List<IOException> failures = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        for (URI source : sources) {
          try {
            return new Fetched(fetch(connections, source, directory, progress), source);
          } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
              throw e;
            }
            failures.add(e);
          }
        }
      }
      IOException none =
          new IOException(
              sources.isEmpty()
                  ? "No NameNode of %s is active".formatted(nameservice)
                  : "No NameNode of %s sent its image: %s"
                      .formatted(
                          nameservice, failures.stream().map(Throwable::getMessage).toList()));
      failures.forEach(none::addSuppressed);
      throw none;
    } finally {
      connections.destroy();
    }
  }

  private static void removeParts(Path directory) throws IOException {
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(directory, "fsimage_*" + PART)) {
      for (Path part : parts) {
        Files.delete(part);
      }
    }
  }

  /** Returns the HTTP addresses of the NameNodes, in the order in which they are asked. */
  List<URI> sources(ImageOrigin origin) throws IOException {
    if (!HAUtilClient.isLogicalUri(conf, nameservice)) {
      return List.of(httpOf(DFSUtilClient.getNNAddress(nameservice)));
    }
    List<Source> sources = new ArrayList<>();
    for (ProxyAndInfo<ClientProtocol> one :
        HAUtil.getProxiesForAllNameNodesInNameservice(
            ImpatientClient.configuration(conf), nameservice.getHost(), ClientProtocol.class)) {
      sources.add(new Source(httpOf(one.getAddress()), load(one.getProxy())));
    }
    boolean isActiveKnown = sources.stream().anyMatch(source -> source.load() == Load.ALL_WAIT);
    Load active = isActiveKnown ? Load.ALL_WAIT : Load.UNKNOWN;
    return sources.stream()
        .filter(source -> origin == ImageOrigin.ANY || source.load() == active)
        .sorted(Comparator.comparing(Source::load))
        .map(Source::address)
        .toList();
  }

  private record Source(URI address, Load load) {}

  /** How much a transfer disturbs the clients of a NameNode, least first. */
  private enum Load {
    NOBODY_WAITS,
    READERS_WAIT,
    UNKNOWN,
    ALL_WAIT
  }

  private static Load load(ClientProtocol nameNode) {
    try {
      HAServiceState state = nameNode.getHAServiceState();
      return switch (state) {
        case STANDBY -> Load.NOBODY_WAITS;
        case OBSERVER -> Load.READERS_WAIT;
        case ACTIVE -> Load.ALL_WAIT;
        default -> Load.UNKNOWN;
      };
    } catch (IOException down) {
      return Load.UNKNOWN; // the server may be too old to name its version
    } finally {
      RPC.stopProxy(nameNode);
    }
  }

  private URI httpOf(InetSocketAddress rpc) throws IOException {
    return DFSUtil.getInfoServer(rpc, conf, DFSUtil.getHttpClientScheme(conf));
  }

  private Path fetch(
      URLConnectionFactory connections, URI source, Path directory, Progress progress)
      throws IOException {
    HttpURLConnection connection = null;
    try {
      connection = connect(connections, source);
      return receive(connection, directory, progress);
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      throw new IOException("%s: %s".formatted(source, e.getMessage()), e);
    } finally {
      if (connection != null) {
        connection.disconnect();
      }
    }
  }

  private static HttpURLConnection connect(URLConnectionFactory connections, URI source)
      throws IOException {
    URL url = URI.create(source + QUERY).toURL();
    if (!UserGroupInformation.isSecurityEnabled()) {
      return (HttpURLConnection) connections.openConnection(url);
    }
    return SecurityUtil.doAsCurrentUser(
        () -> {
          boolean spnego = true;
          try {
            return (HttpURLConnection) connections.openConnection(url, spnego);
          } catch (AuthenticationException e) {
            throw new IOException("it does not believe who we are: " + e.getMessage(), e);
          }
        });
  }

  private static Path receive(HttpURLConnection connection, Path directory, Progress progress)
      throws IOException {
    if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
      throw new IOException(
          "answers %d %s".formatted(connection.getResponseCode(), connection.getResponseMessage()));
    }
    String name = String.valueOf(connection.getHeaderField(NAME_HEADER));
    long length = connection.getContentLengthLong();
    if (!NAME.matcher(name).matches() || length <= 0) {
      throw new IOException(
          "sends something named '%s', of %d bytes, instead of an image".formatted(name, length));
    }
    Optional<ImageDigest> sum = sum(connection.getHeaderField(SUM_HEADER));
    requireSpace(directory, length);
    Path part = directory.resolve(name + PART);
    Path whole = directory.resolve(name);
    try {
      ImageDigest received = receive(connection.getInputStream(), part, length, progress);
      if (sum.isPresent() && !received.equals(sum.get())) {
        throw new IOException(
            "%s came with the MD5 sum %s, and should have %s"
                .formatted(name, received.hex(), sum.get().hex()));
      }
      // The sum is written first, so that no image exists without one.
      received.writeBeside(whole);
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return whole;
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static Optional<ImageDigest> sum(String header) throws IOException {
    try {
      return Optional.ofNullable(header).map(hex -> new ImageDigest(hex.toLowerCase(Locale.ROOT)));
    } catch (IllegalArgumentException e) {
      throw new IOException("sends a wrong header %s: %s".formatted(SUM_HEADER, e.getMessage()), e);
    }
  }

  private static void requireSpace(Path directory, long length) throws IOException {
    long usable = Files.getFileStore(directory).getUsableSpace();
    if (usable - SPARE < length) {
      throw new IOException(
          "its image has %d bytes, and %s has room for %d".formatted(length, directory, usable));
    }
  }

  private static ImageDigest receive(InputStream from, Path part, long length, Progress progress)
      throws IOException {
    MessageDigest digester = ImageDigest.digester();
    byte[] piece = new byte[PIECE];
    long received = 0;
    try (InputStream in = from;
        FileChannel file =
            FileChannel.open(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      OutputStream out = Channels.newOutputStream(file);
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        out.write(piece, 0, read);
        digester.update(piece, 0, read);
        received += read;
        progress.received(read, received, length);
      }
      boolean metadata = true;
      file.force(metadata);
    }
    if (received != length) {
      throw new IOException("the image ended after %d bytes of %d".formatted(received, length));
    }
    return ImageDigest.of(digester);
  }
}
