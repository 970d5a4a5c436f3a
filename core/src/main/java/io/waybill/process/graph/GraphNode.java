package io.waybill.process.graph;

import java.util.List;
import java.util.function.Predicate;

/** A place in the graph, and what comes after it. Not records: a graph of 1,000 steps would compare itself by recursion. */
public abstract sealed class GraphNode {

    /** Where something ends. */
    public static final class Stop extends GraphNode {

        /** The process. */
        static final GraphNode END = new Stop();

        /** The branch; what follows is that of its fork. */
        public static final GraphNode BRANCH_END = new Stop();

        private Stop() {}
    }

    public static final class AtStep extends GraphNode {
        public final Step step;
        public final GraphNode next;

        AtStep(Step step, GraphNode next) {
            this.step = step;
            this.next = next;
        }
    }

    public static final class Choice extends GraphNode {
        public final String name;
        public final Predicate<ProcessData> test;
        public final GraphNode whenTrue;
        public final GraphNode whenFalse;

        Choice(String name, Predicate<ProcessData> test, GraphNode whenTrue, GraphNode whenFalse) {
            this.name = name;
            this.test = test;
            this.whenTrue = whenTrue;
            this.whenFalse = whenFalse;
        }
    }

    public static final class Fork extends GraphNode {
        public final String name;
        public final List<GraphNode> branches;
        public final GraphNode next;

        Fork(String name, List<GraphNode> branches, GraphNode next) {
            this.name = name;
            this.branches = branches;
            this.next = next;
        }
    }
}
