package io.waybill.spring;

import io.waybill.runtime.Waybill;
import io.waybill.spring.beans.SpringHandlerCheck;
import io.waybill.spring.settings.SpringProblems;
import java.util.List;
import java.util.Optional;
import org.springframework.context.SmartLifecycle;

/**
 * Starts to send and to handle when everything else has started, and stops before anything else does. Messages may be appended before and
 * after.
 */
final class WaybillLifecycle implements SmartLifecycle {

    private final List<Waybill> instances;
    private final Optional<Platforms> platforms;
    private final SpringHandlerCheck handlers;
    private final SpringProblems problems;
    private volatile boolean running;

    /** @param platforms nothing where the application has made an instance itself */
    WaybillLifecycle(
            Waybill waybill, Optional<Platforms> platforms, SpringHandlerCheck handlers, SpringProblems problems) {
        this.instances = platforms
                .map(made -> made.all().stream().map(Platform::waybill).toList())
                .orElse(List.of(waybill));
        this.platforms = platforms;
        this.handlers = handlers;
        this.problems = problems;
    }

    @Override
    public void start() {
        handlers.lookAtProxies();
        handlers.lookForHidden();
        problems.report();
        platforms.ifPresentOrElse(
                made -> made.all().forEach(platform -> platform.start(problems)),
                () -> instances.forEach(Waybill::start));
        problems.report();
        running = true;
    }

    @Override
    public void stop() {
        instances.forEach(Waybill::stop);
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
