package io.waybill.process.definition;

import io.waybill.WaybillException;
import io.waybill.process.graph.DraftPart;
import java.util.ArrayList;
import java.util.List;

/** Where the two branches of a choice meet again: what belongs to them, and what follows in either case. */
record ChoiceJoin(DraftPart.Choice choice, List<DraftPart> continuation) {

    /** The branching was ended by a word: everything belongs to its branch. */
    static ChoiceJoin explicit(DraftPart.Choice written) {
        return commonEnd(written, new ArrayList<>());
    }

    /**
     * The branching was not ended. Without a {@code whenFalse} the branch is its first step. With one, what follows it is for both
     * branches, or, when a step of the true branch is named there again, from that step on.
     */
    static ChoiceJoin implied(DraftPart.Choice written, boolean hasFalse) {
        if (!hasFalse) {
            return new ChoiceJoin(
                    new DraftPart.Choice(written.test(), upTo(written.whenTrue(), 1), List.of()),
                    from(written.whenTrue(), 1));
        }
        for (int i = 1; i < written.whenFalse().size(); i++) {
            int same = indexOf(written.whenTrue(), written.whenFalse().get(i));
            if (same > 0) {
                var choice = new DraftPart.Choice(
                        written.test(), upTo(written.whenTrue(), same), upTo(written.whenFalse(), i));
                return new ChoiceJoin(choice, joined(from(written.whenTrue(), same), from(written.whenFalse(), i)));
            }
        }
        var choice = new DraftPart.Choice(written.test(), written.whenTrue(), upTo(written.whenFalse(), 1));
        return commonEnd(choice, from(written.whenFalse(), 1));
    }

    private static ChoiceJoin commonEnd(DraftPart.Choice choice, List<DraftPart> continuation) {
        var whenTrue = new ArrayList<>(choice.whenTrue());
        var whenFalse = new ArrayList<>(choice.whenFalse());
        while (whenTrue.size() > 1 && !whenFalse.isEmpty() && isSame(last(whenTrue), last(whenFalse))) {
            DraftPart.Single kept = (DraftPart.Single) whenTrue.remove(whenTrue.size() - 1);
            kept.step().absorb(((DraftPart.Single) whenFalse.remove(whenFalse.size() - 1)).step());
            continuation.add(0, kept);
        }
        return new ChoiceJoin(new DraftPart.Choice(choice.test(), whenTrue, whenFalse), continuation);
    }

    /** The rest of the true branch says again what follows: it may say less, but nothing else. */
    private static List<DraftPart> joined(List<DraftPart> rest, List<DraftPart> continuation) {
        for (int i = 0; i < rest.size(); i++) {
            if (i >= continuation.size() || !isSame(rest.get(i), continuation.get(i))) {
                throw new WaybillException("The branches meet at "
                        + continuation.get(0).label() + ", but after it one continues with "
                        + rest.get(i).label() + " and the other "
                        + (i < continuation.size()
                                ? "with " + continuation.get(i).label()
                                : "ends")
                        + ", so " + rest.get(i).label() + " could never be reached in both. Write what"
                        + " follows once, or give one of the steps another name with .named(\"...\").");
            }
            ((DraftPart.Single) continuation.get(i)).step().absorb(((DraftPart.Single) rest.get(i)).step());
        }
        return continuation;
    }

    private static int indexOf(List<DraftPart> parts, DraftPart other) {
        for (int i = 0; i < parts.size(); i++) {
            if (isSame(parts.get(i), other)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isSame(DraftPart one, DraftPart other) {
        return one instanceof DraftPart.Single a
                && other instanceof DraftPart.Single b
                && a.step().name().equals(b.step().name());
    }

    private static DraftPart last(List<DraftPart> parts) {
        return parts.get(parts.size() - 1);
    }

    private static List<DraftPart> upTo(List<DraftPart> parts, int end) {
        return new ArrayList<>(parts.subList(0, end));
    }

    private static List<DraftPart> from(List<DraftPart> parts, int start) {
        return new ArrayList<>(parts.subList(start, parts.size()));
    }
}
