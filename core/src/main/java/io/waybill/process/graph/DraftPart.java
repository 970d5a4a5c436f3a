package io.waybill.process.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A piece of a definition while it is being written: the tree from which the graph is made. */
public sealed interface DraftPart {

    /** How it is called in paths and logs. */
    String label();

    /** The step that it begins with: a choice, a step that may be passed over. */
    String firstStep();

    /** A step. */
    record Single(StepDraft step) implements DraftPart {
        @Override
        public String label() {
            return step.name();
        }

        @Override
        public String firstStep() {
            return step.name();
        }
    }

    /** Goes one way or the other. */
    record Choice(Predicate<ProcessData> test, List<DraftPart> whenTrue, List<DraftPart> whenFalse)
            implements DraftPart {

        public Choice(Predicate<ProcessData> test) {
            this(test, new ArrayList<>(), new ArrayList<>());
        }

        @Override
        public String label() {
            return "if " + firstStep();
        }

        @Override
        public String firstStep() {
            return (whenTrue.isEmpty() ? whenFalse : whenTrue).get(0).firstStep();
        }
    }

    /** Goes all ways at once. */
    record Parallel(List<List<DraftPart>> branches) implements DraftPart {

        public Parallel() {
            this(new ArrayList<>());
        }

        @Override
        public String label() {
            return "parallel " + firstStep();
        }

        @Override
        public String firstStep() {
            return branches.get(0).get(0).firstStep();
        }
    }
}
