package io.waybill.server.output;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.function.UnaryOperator;

/** Passes on whole lines, made safe: a value that a terminal would obey, or a secret, is never shown as it is. */
public final class SafeWriter extends Writer {

    private final Writer out;
    private final UnaryOperator<String> safe;
    private final StringBuilder line = new StringBuilder();

    private SafeWriter(Writer out, UnaryOperator<String> safe) {
        this.out = out;
        this.safe = safe;
    }

    public static PrintWriter around(Writer out, UnaryOperator<String> safe) {
        return new PrintWriter(new SafeWriter(out, safe), true);
    }

    @Override
    public void write(char[] text, int from, int count) throws IOException {
        synchronized (lock) {
            line.append(text, from, count);
            int end = line.lastIndexOf("\n") + 1;
            if (end > 0) {
                out.write(safe.apply(line.substring(0, end)));
                line.delete(0, end);
            }
        }
    }

    @Override
    public void flush() throws IOException {
        synchronized (lock) {
            out.write(safe.apply(line.toString()));
            line.setLength(0);
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        flush();
        out.close();
    }
}
