/** Speed of the codecs, with each kernel, beside Hadoop's own coder. */
package io.hdfsraid.bench.codec;
