package io.waybill.server;

import java.io.PrintWriter;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far something is: a bar where a person looks on, otherwise a line per step. */
interface Steps extends LongConsumer, AutoCloseable {

    @Override
    void close();

    static Steps of(long total, String what, PrintWriter err) {
        return Terminal.isInteractive() ? new Bar(total, what) : new Lines(total, what, err);
    }

    /** A bar on standard error. */
    final class Bar implements Steps {

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
    record Lines(long total, String what, PrintWriter err) implements Steps {

        @Override
        public void accept(long done) {
            err.println("removed " + done + " of " + total + " " + what);
        }

        @Override
        public void close() {}
    }
}
