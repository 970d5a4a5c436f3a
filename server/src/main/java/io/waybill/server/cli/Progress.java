package io.waybill.server.cli;

import java.io.PrintWriter;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far something is: a bar where a person looks on, otherwise a line per step. */
public interface Progress extends LongConsumer, AutoCloseable {

    @Override
    void close();

    /** So many things, of which it is said how many are done: {@code 10 of 25 messages removed}. */
    static Progress of(long total, String things, String done, PrintWriter err) {
        return Terminal.isInteractive() ? new Bar(total, things) : new Lines(total, things, done, err);
    }

    /** A bar on standard error. */
    final class Bar implements Progress {

        private final ProgressBar bar;

        Bar(long total, String what) {
            this.bar = new ProgressBarBuilder()
                    .setTaskName(what)
                    .setInitialMax(total)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setConsumer(new ConsoleProgressBarConsumer(System.err))
                    .build();
        }

        @Override
        public void accept(long done) {
            bar.stepTo(done);
        }

        @Override
        public void close() {
            bar.close();
        }
    }

    /** A line per step on standard error. */
    record Lines(long total, String things, String done, PrintWriter err) implements Progress {

        @Override
        public void accept(long soFar) {
            // The last step is the command's own to report.
            if (soFar < total) {
                err.println(soFar + " of " + total + " " + things + " " + done);
            }
        }

        @Override
        public void close() {}
    }
}
