package io.hdfsraid.applications.spark;

import java.io.IOException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Writes a table as Parquet and as lines of JSON, or answers questions about it: some that need two
 * columns only, and some that need all. The {@code core-site.xml} on the class path tells where.
 */
public final class TableJob {
  private TableJob() {}

  /** Takes {@code write} or {@code ask}, and a directory. */
  public static void main(String[] arguments) throws IOException {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .getOrCreate()) {
      if (arguments[0].equals("write")) {
        write(spark, arguments[1]);
      } else {
        ask("parquet", spark.read().parquet(arguments[1] + "/parquet"));
        ask("json", spark.read().json(arguments[1] + "/json"));
      }
    }
  }

  private static void write(SparkSession spark, String directory) {
    Dataset<Row> table =
        spark
            .range(0, 30_000, 1, 2)
            .selectExpr(
                "id",
                "cast(id % 97 as string) as shop",
                "id * 7 as amount",
                "sha2(cast(id as string), 256) as note");
    table.write().parquet(directory + "/parquet");
    table.write().json(directory + "/json");
  }

  private static void ask(String format, Dataset<Row> table) {
    table.createOrReplaceTempView("sales");
    SparkSession spark = table.sparkSession();
    print(format, spark.sql("select count(*), sum(amount) from sales where shop = '42'"));
    print(format, spark.sql("select count(*), sum(id), sum(crc32(note)), max(shop) from sales"));
  }

  private static void print(String format, Dataset<Row> answer) {
    System.out.println("ANSWER " + format + " " + answer.first());
  }
}
