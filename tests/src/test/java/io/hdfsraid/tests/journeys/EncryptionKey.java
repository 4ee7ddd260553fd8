// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import java.io.IOException;
import java.nio.file.Files;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;

/** A key in a store of its own, and the encryption zones that are under it. */
final class EncryptionKey {
  private static final String NAME = "key";
  private static final String PROVIDER = "hadoop.security.key.provider.path";

  private final String store;

  EncryptionKey() throws IOException {
    store = "jceks://file" + Files.createTempDirectory("journey-keys-").resolve("keys.jceks");
    Configuration conf = new Configuration();
    conf.set(PROVIDER, store);
    KeyProvider keys = KeyProviderFactory.getProviders(conf).get(0);
    try {
      keys.createKey(NAME, KeyProvider.options(conf));
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
    keys.flush();
    keys.close();
  }

  /** What an HDFS must be told that is to have zones under it. */
  Map<String, String> settings() {
    return Map.of(PROVIDER, store);
  }

  void makeZone(Journey journey, String path) throws IOException {
    Path zone = new Path(path);
    journey.hdfs.fileSystem().mkdirs(zone);
    new HdfsAdmin(journey.hdfs.uri(), journey.hdfs.configuration())
        .createEncryptionZone(zone, NAME, EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
  }
}
