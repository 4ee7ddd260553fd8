package io.hdfsraid.erasurecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StreamEncoderTest {
  static List<ErasureCodec> codecs() {
    return Codecs.all();
  }

  /** Lengths 0 and 1 among them, units that do not exist, and streams that come in drops. */
  @ParameterizedTest
  @MethodSource("codecs")
  void parityIsThatOfTheWholeRowsHoweverTheStreamsAreCut(ErasureCodec codec) throws IOException {
    Random random = new Random(13);
    int k = codec.shape().dataUnits();
    for (int round = 0; round < 40; round++) {
      int[] lengths = random.ints(k, 0, 1 + random.nextInt(100)).toArray();
      lengths[random.nextInt(k)] = round % 3;
      Stripe stripe = Stripe.encode(codec, 1 + random.nextInt(20), random, lengths);
      List<Optional<ReadableByteChannel>> data = new ArrayList<>();
      for (int unit = 0; unit < k; unit++) {
        boolean absent = lengths[unit] == 0 && random.nextBoolean();
        data.add(absent ? Optional.empty() : Optional.of(drops(stripe.unit(unit), random)));
      }
      List<ByteArrayOutputStream> parity = outputs(codec);
      new StreamEncoder(codec, stripe.layout())
          .encode(IntStream.of(lengths).max().orElse(0), data, channels(parity));
      for (int unit = k; unit < codec.shape().units(); unit++) {
        assertThat(parity.get(unit - k).toByteArray())
            .as("%s, round %d, unit %d", codec, round, unit)
            .isEqualTo(stripe.unit(unit));
      }
    }
  }

  @Test
  void aLengthThatIsNotThatOfTheLongestUnitIsNoticed() {
    for (String name : List.of("rs-3-2", "crs-good-3-2")) {
      ErasureCodec codec = Codecs.parse(name);
      int row = codec.subUnits() * 5;
      for (int length = 1; length <= 2 * row + 1; length++) {
        int longest = length;
        assertThatThrownBy(() -> encode(codec, longest, longest - 1))
            .isInstanceOf(EOFException.class)
            .hasMessage(
                "The longest data unit was said to have %d bytes, but has %d",
                longest, longest - 1);
        assertThatThrownBy(() -> encode(codec, longest, longest + 1))
            .as("%s, %d and one more", name, longest)
            .isInstanceOf(IOException.class)
            .hasMessageMatching(
                "The longest data unit was said to have %d bytes, but (one|unit 1) has more"
                    .formatted(longest));
      }
    }
  }

  @Test
  void channelsAndLayoutMustFitTheCodec() {
    ErasureCodec codec = Codecs.parse("rs-3-2");
    assertThatThrownBy(() -> new StreamEncoder(codec, new RowLayout(2, 10)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Rows of rs-3-2 have 1 sub-units, but the layout has 2");
    assertThatThrownBy(
            () -> new StreamEncoder(codec, codec.layout()).encode(1, List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rs-3-2 encodes 3 units into 2, but got 0 and 0 channels");
  }

  private static void encode(ErasureCodec codec, long longest, int held) throws IOException {
    Random random = new Random(2);
    new StreamEncoder(codec, new RowLayout(codec.subUnits(), 5))
        .encode(
            longest,
            List.of(
                Optional.of(drops(new byte[0], random)),
                Optional.of(drops(new byte[held], random)),
                Optional.empty()),
            channels(outputs(codec)));
  }

  private static List<ByteArrayOutputStream> outputs(ErasureCodec codec) {
    return Stream.generate(ByteArrayOutputStream::new).limit(codec.shape().parityUnits()).toList();
  }

  private static List<WritableByteChannel> channels(List<ByteArrayOutputStream> outputs) {
    return outputs.stream().map(Channels::newChannel).toList();
  }

  /** Delivers 0 to 3 bytes at a time. */
  private static ReadableByteChannel drops(byte[] bytes, Random random) {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    return new ReadableByteChannel() {
      @Override
      public int read(ByteBuffer into) {
        if (!left.hasRemaining()) {
          return -1;
        }
        int count = Math.min(random.nextInt(4), Math.min(left.remaining(), into.remaining()));
        into.put(left.slice(left.position(), count));
        left.position(left.position() + count);
        return count;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }
}
