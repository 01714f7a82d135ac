import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;

/**
 * Prints what java.util.Properties makes of tricky inputs, one JSON object a line:
 * name, latin1 (the input was a stream of ISO 8859-1, not text), in, and either
 * pairs or error. With an argument it prints that many random inputs instead.
 */
public class Table {
  static final String[][] CASES = {
    {"nothing", ""},
    {"one", "a=b"},
    {"one with newline", "a=b\n"},
    {"colon", "a:b\n"},
    {"blank", "a b\n"},
    {"tab", "a\tb\n"},
    {"form feed", "a\fb\n"},
    {"blanks around equals", "a = b\n"},
    {"blanks around colon", "a \t:\f b\n"},
    {"two separators", "a=:b\n"},
    {"two equals", "a==b\n"},
    {"separators apart", "a = = b\n"},
    {"colon after blank", "a :b\n"},
    {"blank value then equals", "a b=c\n"},
    {"trailing blanks stay", "a=b \t\n"},
    {"leading blanks", " \t\f a=b\n"},
    {"key only", "a\n"},
    {"key only at end", "a"},
    {"key and equals", "a=\n"},
    {"key and equals at end", "a="},
    {"key and colon", "a:"},
    {"key and blank", "a "},
    {"empty key", "=b\n"},
    {"empty key with colon", ":b\n"},
    {"empty key and value", "=\n"},
    {"empty key after blanks", "  = b\n"},
    {"hash comment", "# a=b\nc=d\n"},
    {"bang comment", "! a=b\nc=d\n"},
    {"indented comment", "  \t# a=b\nc=d\n"},
    {"comment at end", "c=d\n#"},
    {"comment without newline", "# a=b"},
    {"comment ends in backslash", "# a\\\nb=c\n"},
    {"comment ends in backslash at end", "# a\\"},
    {"comment with CR", "# a\rb=c\r"},
    {"comment with CRLF", "# a\r\nb=c\r\n"},
    {"comment with bad escape", "# \\uZZZZ\nb=c\n"},
    {"hash in key", "a#b=c\n"},
    {"hash in value", "a=#b\n"},
    {"bang in value", "a=b!c\n"},
    {"escaped hash", "\\#a=b\n"},
    {"escaped bang", "\\!a=b\n"},
    {"continuation", "a=b\\\nc\n"},
    {"continuation, blanks", "a=b\\\n \t\fc\n"},
    {"continuation, blanks before", "a=b \\\n  c\n"},
    {"continuation of key", "a\\\n  b=c\n"},
    {"continuation before separator", "a\\\n  =c\n"},
    {"continuation after separator", "a=\\\n  c\n"},
    {"continuation, several", "a=b,\\\n c,\\\n d\n"},
    {"continuation is no comment", "a=b\\\n#c\n"},
    {"continuation is no bang", "a=b\\\n  !c\n"},
    {"continuation of nothing is a comment", "\\\n#c\nd=e\n"},
    {"continuation of nothing", "\\\na=b\n"},
    {"continuation of nothing, blank line", "\\\n\na=b\n"},
    {"continuation of nothing, blanks", "\\\n   \na=b\n"},
    {"continuation of nothing, indented", "  \\\n   a=b\n"},
    {"continuation of nothing, twice", "\\\n\\\na=b\n"},
    {"continuation is blank", "a=b\\\n\nc=d\n"},
    {"continuation is blanks", "a=b\\\n   \nc=d\n"},
    {"continuation with two backslashes", "a=b\\\\\nc=d\n"},
    {"continuation with three backslashes", "a=b\\\\\\\nc=d\n"},
    {"continuation with four backslashes", "a=b\\\\\\\\\nc=d\n"},
    {"continuation, blank after backslash", "a=b\\ \nc=d\n"},
    {"continuation CR", "a=b\\\rc\r"},
    {"continuation CRLF", "a=b\\\r\nc\r\n"},
    {"continuation CRLF, blanks", "a=b\\\r\n  c\r\nd=e\r\n"},
    {"continuation CRLF, blank line", "a=b\\\r\n\r\nc=d\r\n"},
    {"continuation LFCR", "a=b\\\n\rc=d\n"},
    {"continuation CRCR", "a=b\\\r\rc=d\r"},
    {"continuation splits escape", "a=\\u00\\\n41\n"},
    {"continuation splits escape, blanks", "a=\\u\\\n   0041\n"},
    {"continuation splits surrogates", "a=\\uD83D\\\n\\uDE00\n"},
    {"CR", "a=b\rc=d\r"},
    {"CRLF", "a=b\r\nc=d\r\n"},
    {"LFCR", "a=b\n\rc=d\n\r"},
    {"mixed line ends", "a=b\nc=d\re=f\r\ng=h"},
    {"blank lines", "\n\n a=b\n\n"},
    {"lines of blanks", " \n\t\n\f\na=b\n \t\f"},
    {"backslash", "\\"},
    {"two backslashes", "\\\\"},
    {"three backslashes", "\\\\\\"},
    {"backslash LF", "\\\n"},
    {"backslash CR", "\\\r"},
    {"backslash CRLF", "\\\r\n"},
    {"backslash LF blank", "\\\n "},
    {"backslash LF LF", "\\\n\n"},
    {"backslash LF backslash", "\\\n\\"},
    {"backslash LF backslash LF", "\\\n\\\n"},
    {"backslash at end", "a=b\\"},
    {"two backslashes at end", "a=b\\\\"},
    {"three backslashes at end", "a=b\\\\\\"},
    {"backslash of key at end", "a\\"},
    {"backslash LF at end", "a=b\\\n"},
    {"backslash CR at end", "a=b\\\r"},
    {"backslash CRLF at end", "a=b\\\r\n"},
    {"backslash LF blanks at end", "a=b\\\n  "},
    {"backslash after equals at end", "a=\\"},
    {"blanks then backslash at end", "  \\"},
    {"setting then backslash line", "a=b\n\\"},
    {"escaped equals in key", "a\\=b=c\n"},
    {"escaped colon in key", "a\\:b:c\n"},
    {"escaped blank in key", "a\\ b c\n"},
    {"escaped tab in key", "a\\\tb c\n"},
    {"escaped form feed in key", "a\\\fb c\n"},
    {"escaped backslash in key", "a\\\\=b\n"},
    {"escaped backslash and equals in key", "a\\\\\\=b=c\n"},
    {"escaped blank first", "\\ a=b\n"},
    {"escaped equals first", "\\=a=b\n"},
    {"escaped equals in value", "a=b\\=c\\:d\\ e\n"},
    {"escaped blank at start of value", "a=\\ b\n"},
    {"escaped separator after key", "a \\=b\n"},
    {"escapes", "a=\\t\\n\\r\\f\\\\\\z\\\"\\'\n"},
    {"escapes in key", "\\t\\n\\r\\f\\\\\\z=b\n"},
    {"escapes unknown to Java", "a=\\a\\b\\v\\0\\x41\\101\n"},
    {"escaped non-ASCII", "a=\\\u00e9\n"},
    {"unicode", "a=\\u0041\n"},
    {"unicode in key", "\\u0041=b\n"},
    {"unicode lower case digits", "a=\\u00e9\\u00E9\n"},
    {"unicode upper case U", "a=\\U0041\n"},
    {"unicode two us", "a=\\uu0041\n"},
    {"unicode equals in key", "a\\u003db=c\n"},
    {"unicode colon in key", "a\\u003Ab=c\n"},
    {"unicode blank in key", "a\\u0020b=c\n"},
    {"unicode tab in key", "a\\u0009b=c\n"},
    {"unicode newline", "a=b\\u000ac\\u000dd\n"},
    {"unicode newline in key", "a\\u000ab=c\n"},
    {"unicode form feed", "a=b\\u000cc\n"},
    {"unicode backslash", "a=\\u005cn\n"},
    {"unicode backslash at end", "a=b\\u005c\nc=d\n"},
    {"unicode blank at start of value", "a=\\u0020b\n"},
    {"unicode hash first", "\\u0023a=b\n"},
    {"unicode bang first", "\\u0021a=b\n"},
    {"unicode letters of escapes", "a=\\u0066\\u006e\\u0072\\u0074\\u0075\n"},
    {"unicode after backslashes", "a=\\\\u0041\\\\\\u0041\n"},
    {"unicode then digits", "a=\\u00410\n"},
    {"unicode NUL", "a=\\u0000b\n"},
    {"unicode FFFF", "a=\\uffff\\ufffe\\ufffd\\ufeff\n"},
    {"surrogates", "a=\\uD83D\\uDE00\n"},
    {"surrogates in key", "\\uD83D\\uDE00=a\n"},
    {"surrogates twice", "a=\\ud800\\udc00\\udbff\\udfff\n"},
    {"malformed", "a=\\u00g1\n"},
    {"malformed in key", "\\u00g1=a\n"},
    {"malformed short", "a=\\u004\n"},
    {"malformed at end", "a=\\u"},
    {"malformed by separator", "a\\u00=41\n"},
    {"malformed by sign", "a=\\u+041\n"},
    {"malformed by blank", "a=\\u 041\n"},
    {"malformed by underscore", "a=\\u0_41\n"},
    {"non-ASCII", "\u00e9=\u00fc\n"},
    {"non-ASCII beyond Latin-1", "a=\u20ac\u4e2d\uD83D\uDE00\n"},
    {"non-ASCII blanks are no blanks", "\u00a0a\u2003b=\u00a0c\n"},
    {"vertical tab is no blank", "\013a\013b=c\n"},
    {"next line is no line end", "a=b\u0085c=d\u2028e=f\n"},
    {"NUL", "a\0b=c\0d\n"},
    {"duplicate", "a=b\na=c\n"},
    {"duplicate, other form", "a=b\n\\u0061 c\nd=e\n"},
    {"duplicate, then empty", "a=b\na\n"},
    {"a workload file", "# Yahoo! Cloud System Benchmark\n\nrecordcount=1000\noperationcount = 1000\n"
        + "workload=site.ycsb.workloads.CoreWorkload\n\nreadallfields=true\n\nreadproportion=0.5\n"},
    {"a URL", "jdbc.url=jdbc:mysql://127.0.0.1:3306/ycsb?a=b&c=d\n"},
    {"a Windows path", "a=C:\\temp\\new\n"},
    {"no expansion", "a=${b}\nb=${a}\nc=${\n"},
  };

  static final String ALPHABET = "aab=: \t\f\n\n\r\\\\\\\\#!u0041\u00e9z";

  public static void main(String[] args) {
    if (args.length > 0) {
      Random r = new Random(1);
      for (int i = Integer.parseInt(args[0]); i > 0; i--) {
        StringBuilder in = new StringBuilder();
        for (int n = r.nextInt(16); n >= 0; n--) {
          in.append(ALPHABET.charAt(r.nextInt(ALPHABET.length())));
        }
        print("random", false, in.toString());
      }
      return;
    }
    for (String[] c : CASES) {
      print(c[0], false, c[1]);
      if (c[1].chars().anyMatch(x -> x > 0x7f) && c[1].chars().allMatch(x -> x <= 0xff)) {
        print(c[0], true, c[1]);
      }
    }
  }

  static void print(String name, boolean latin1, String in) {
    Properties p = new Properties();
    String result;
    try {
      if (latin1) {
        p.load(new ByteArrayInputStream(in.getBytes(StandardCharsets.ISO_8859_1)));
      } else {
        p.load(new StringReader(in));
      }
      StringBuilder pairs = new StringBuilder();
      for (Map.Entry<Object, Object> e : new TreeMap<>(p).entrySet()) {
        pairs.append(pairs.length() > 0 ? "," : "");
        pairs.append(quote((String) e.getKey())).append(":").append(quote((String) e.getValue()));
      }
      result = "\"pairs\":{" + pairs + "}";
    } catch (Exception e) {
      result = "\"error\":" + quote(String.valueOf(e.getMessage()));
    }
    System.out.println("{\"name\":" + quote(name) + ",\"latin1\":" + latin1 + ",\"in\":" + quote(in) + "," + result + "}");
  }

  static String quote(String s) {
    StringBuilder b = new StringBuilder("\"");
    for (char c : s.toCharArray()) {
      if (c == '"' || c == '\\') {
        b.append('\\').append(c);
      } else if (c < 0x20 || c > 0x7e) {
        b.append(String.format("\\u%04x", (int) c));
      } else {
        b.append(c);
      }
    }
    return b.append('"').toString();
  }
}
