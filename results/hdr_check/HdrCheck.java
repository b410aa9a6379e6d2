import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;

/** What HdrHistogram's own implementation reads: figures, tables, or a log. See hdr_check_test.cpp. */
public class HdrCheck {
  private static final double[] PERCENTS = {0, 50, 90, 99, 99.9, 99.99, 100};

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "figures":
        for (String text : Files.readAllLines(Path.of(arguments[1]))) printFigures(decode(text));
        break;
      case "again":
        for (String text : Files.readAllLines(Path.of(arguments[1]))) System.out.println(encode(decode(text)));
        break;
      case "tables":
        for (String text : Files.readAllLines(Path.of(arguments[1]))) {
          decode(text).outputPercentileDistribution(System.out, 1e6);
        }
        break;
      case "log":
        printLog(new File(arguments[1]));
        break;
      default:
        throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static Histogram decode(String text) throws Exception {
    return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
  }

  private static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    byte[] bytes = new byte[histogram.encodeIntoCompressedByteBuffer(buffer)];
    buffer.rewind();
    buffer.get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static void printFigures(AbstractHistogram histogram) {
    System.out.print("count " + histogram.getTotalCount() + " max " + histogram.getMaxValue());
    for (double percent : PERCENTS) System.out.print(" p " + histogram.getValueAtPercentile(percent));
    for (HistogramIterationValue value : histogram.recordedValues()) {
      System.out.print(" " + value.getValueIteratedTo() + ":" + value.getCountAtValueIteratedTo());
    }
    System.out.println();
  }

  private static void printLog(File file) throws Exception {
    HistogramLogReader reader = new HistogramLogReader(file);
    while (reader.hasNext()) {
      EncodableHistogram histogram = reader.nextIntervalHistogram();
      if (histogram == null) continue;
      System.out.print(histogram.getTag() + " " + histogram.getStartTimeStamp() + " " + histogram.getEndTimeStamp() + " ");
      printFigures((Histogram) histogram);
    }
  }
}
