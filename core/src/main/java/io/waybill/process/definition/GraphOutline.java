package io.waybill.process.definition;

import io.waybill.WaybillException;
import io.waybill.process.graph.DraftPart;
import io.waybill.process.graph.ProcessData;
import io.waybill.process.graph.StepDraft;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Turns a definition, word by word, into a tree: which branching is open, and what belongs to it. */
final class GraphOutline {

    private final List<DraftPart> root = new ArrayList<>();
    private final Deque<Open> open = new ArrayDeque<>();
    private @Nullable StepDraft last;

    /** A branching that has begun and not ended. */
    private sealed interface Open {
        List<DraftPart> current();
    }

    private static final class OpenIf implements Open {
        final DraftPart.Choice choice;
        boolean inFalse;

        OpenIf(DraftPart.Choice choice) {
            this.choice = choice;
        }

        @Override
        public List<DraftPart> current() {
            return inFalse ? choice.whenFalse() : choice.whenTrue();
        }
    }

    private record OpenParallel(DraftPart.Parallel parallel) implements Open {
        @Override
        public List<DraftPart> current() {
            return parallel.branches().get(parallel.branches().size() - 1);
        }
    }

    void add(StepDraft step) {
        last = step;
        current().add(new DraftPart.Single(step));
    }

    StepDraft last() {
        if (last == null) {
            throw new WaybillException("There is no step yet that this could apply to.");
        }
        return last;
    }

    void openIf(Predicate<ProcessData> test) {
        open.push(new OpenIf(new DraftPart.Choice(test)));
    }

    void whenFalse() {
        while (open.peek() instanceof OpenIf branching) {
            if (!branching.inFalse) {
                branching.inFalse = true;
                return;
            }
            close(branching, false);
        }
        throw misplaced("whenFalse", "a thenIf(...).whenTrue(...) that has no whenFalse yet");
    }

    void endIf() {
        if (!(open.peek() instanceof OpenIf branching)) {
            throw misplaced("endIf", "a thenIf(...).whenTrue(...) that has not ended yet");
        }
        close(branching, true);
    }

    void openParallel() {
        open.push(new OpenParallel(new DraftPart.Parallel()));
    }

    void branch() {
        closeIfs();
        if (!(open.peek() instanceof OpenParallel fork)) {
            throw misplaced("branch", "thenParallel()");
        }
        fork.parallel().branches().add(new ArrayList<>());
    }

    void closeParallel() {
        closeIfs();
        if (!(open.peek() instanceof OpenParallel fork)) {
            throw misplaced("joinAt", "thenParallel() and its branches");
        }
        if (fork.parallel().branches().size() < 2) {
            throw new WaybillException("At " + path() + " there is only one branch, so that nothing is parallel. Add"
                    + " another .branch(...), or write .then(...).");
        }
        open.pop();
        current().add(fork.parallel());
    }

    List<DraftPart> finished() {
        closeIfs();
        if (open.peek() instanceof OpenParallel) {
            throw new WaybillException("The branches at " + path() + " have no end: nothing says where they meet."
                    + " Write .joinAt(SomeCommand.class) before .end().");
        }
        return root;
    }

    /** How one gets to where the definition is now. */
    String path() {
        var path = new ArrayList<String>();
        root.forEach(part -> path.add(part.label()));
        open.descendingIterator().forEachRemaining(branching -> {
            path.add(branching instanceof OpenIf choice ? (choice.inFalse ? "if not" : "if") : "parallel");
            branching.current().forEach(part -> path.add(part.label()));
        });
        return String.join(" -> ", path);
    }

    private List<DraftPart> current() {
        return open.isEmpty() ? root : open.peek().current();
    }

    private void closeIfs() {
        while (open.peek() instanceof OpenIf branching) {
            close(branching, false);
        }
    }

    private void close(OpenIf branching, boolean explicit) {
        open.pop();
        var meeting = explicit
                ? ChoiceJoin.explicit(branching.choice)
                : ChoiceJoin.implied(branching.choice, branching.inFalse);
        current().add(meeting.choice());
        current().addAll(meeting.continuation());
    }

    private WaybillException misplaced(String word, String needs) {
        return new WaybillException(word + " needs " + needs + " before it, but the definition is at " + path() + ".");
    }
}
