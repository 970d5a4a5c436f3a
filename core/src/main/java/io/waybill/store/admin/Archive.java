package io.waybill.store.admin;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Where messages go before they are removed. */
public sealed interface Archive {

    /** Nowhere. */
    Archive NONE = new None();

    /** The table {@code outbox_archive}, in the transaction that removes them. */
    Archive TABLE = new Table();

    /** Somewhere outside the database; see {@link Writer}. */
    static Archive to(Writer writer) {
        return new Outside(writer);
    }

    <T> T fold(Supplier<T> none, Supplier<T> table, Function<Writer, T> outside);

    /**
     * Takes messages for good: they are removed when it returns. When that removal fails they come once more, so there may be
     * copies, but never a gap.
     */
    @FunctionalInterface
    interface Writer {
        void write(List<StoredMessage> messages);
    }

    /** See {@link #NONE}. */
    record None() implements Archive {
        @Override
        public <T> T fold(Supplier<T> none, Supplier<T> table, Function<Writer, T> outside) {
            return none.get();
        }
    }

    /** See {@link #TABLE}. */
    record Table() implements Archive {
        @Override
        public <T> T fold(Supplier<T> none, Supplier<T> table, Function<Writer, T> outside) {
            return table.get();
        }
    }

    /** See {@link #to}. */
    record Outside(Writer writer) implements Archive {
        @Override
        public <T> T fold(Supplier<T> none, Supplier<T> table, Function<Writer, T> outside) {
            return outside.apply(writer);
        }
    }
}
