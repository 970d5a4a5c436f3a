package io.waybill.spring;

import io.waybill.runtime.Waybill;
import io.waybill.spring.beans.SpringHandlerCheck;
import io.waybill.spring.settings.AbsentOnBoot3;
import io.waybill.spring.settings.SpringProblems;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/**
 * Starts to send and to handle when everything else has started, and stops before anything else does. Messages may be appended before and
 * after.
 */
final class WaybillLifecycle implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(WaybillLifecycle.class);

    private final List<Waybill> waybills;
    private final Optional<SpringInstances> instances;
    private final SpringHandlerCheck handlers;
    private final SpringProblems problems;
    private volatile boolean running;

    /** @param instances nothing where the application has made an instance itself */
    WaybillLifecycle(
            Waybill waybill,
            Optional<SpringInstances> instances,
            SpringHandlerCheck handlers,
            SpringProblems problems) {
        this.waybills = instances
                .map(made -> made.all().stream().map(SpringInstance::waybill).toList())
                .orElse(List.of(waybill));
        this.instances = instances;
        this.handlers = handlers;
        this.problems = problems;
    }

    @Override
    public void start() {
        handlers.lookAtProxies();
        handlers.lookForHidden();
        problems.report();
        instances.ifPresentOrElse(
                made -> made.all().forEach(instance -> instance.start(problems)),
                () -> waybills.forEach(Waybill::start));
        problems.report();
        AbsentOnBoot3.warning(name -> ClassUtils.isPresent(name, WaybillLifecycle.class.getClassLoader()))
                .ifPresent(warning -> log.warn("WB-610 {}", warning));
        running = true;
    }

    @Override
    public void stop() {
        waybills.forEach(Waybill::stop);
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
