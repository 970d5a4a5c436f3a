package io.waybill.server.output;

import org.snakeyaml.engine.v2.exceptions.DuplicateKeyException;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Says where a YAML file is wrong, without the line itself: it may hold a password. */
public final class YamlErrors {

    private YamlErrors() {}

    public static String where(YamlEngineException e) {
        if (!(e instanceof MarkedYamlEngineException marked)) {
            return e.getClass().getSimpleName();
        }
        String problem = marked instanceof DuplicateKeyException ? "a key is there twice" : marked.getProblem();
        // Quoted in it is what was found there, up to a whole word.
        String safe = problem.replaceAll("'[^']{2,}'|\"[^\"]{2,}\"", "***");
        return marked.getProblemMark()
                .map(mark -> "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": " + safe)
                .orElse(safe);
    }
}
