package io.waybill.process;

import java.util.List;
import java.util.function.Predicate;

/** A place in the graph, and what comes after it. Not records: a graph of 1,000 steps would compare itself by recursion. */
abstract sealed class Node {

    /** Where something ends. */
    static final class Stop extends Node {

        /** The process. */
        static final Node END = new Stop();

        /** The branch; what follows is that of its fork. */
        static final Node BRANCH_END = new Stop();

        private Stop() {}
    }

    static final class AtStep extends Node {
        final Step step;
        final Node next;

        AtStep(Step step, Node next) {
            this.step = step;
            this.next = next;
        }
    }

    static final class Choice extends Node {
        final String name;
        final Predicate<ProcessData> test;
        final Node whenTrue;
        final Node whenFalse;

        Choice(String name, Predicate<ProcessData> test, Node whenTrue, Node whenFalse) {
            this.name = name;
            this.test = test;
            this.whenTrue = whenTrue;
            this.whenFalse = whenFalse;
        }
    }

    static final class Fork extends Node {
        final String name;
        final List<Node> branches;
        final Node next;

        Fork(String name, List<Node> branches, Node next) {
            this.name = name;
            this.branches = branches;
            this.next = next;
        }
    }
}
