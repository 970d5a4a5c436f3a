package io.waybill.spring.beans;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/** What a native image has to keep: the files of the schema, handlers, which are called by reflection, and what payloads are read into. */
final class HandlerHints implements BeanFactoryInitializationAotProcessor {

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        var handlers = new ArrayList<Method>();
        BeanTypes.of(beans).values().forEach(type -> {
            handlers.addAll(SpringHandlerBeans.methods(type));
            handlers.addAll(SpringSubscriberBeans.methods(type).keySet());
        });
        return (generation, code) -> register(generation.getRuntimeHints(), handlers);
    }

    private static void register(RuntimeHints hints, List<Method> handlers) {
        hints.resources().registerPattern("io/waybill/schema/**");
        hints.reflection()
                .registerField(Objects.requireNonNull(
                        ReflectionUtils.findField(SimpleApplicationEventMulticaster.class, FailingAppends.FIELD)));
        var binding = new BindingReflectionHintsRegistrar();
        for (Method handler : handlers) {
            hints.reflection()
                    .registerType(handler.getDeclaringClass(), MemberCategory.INVOKE_PUBLIC_METHODS)
                    .registerMethod(handler, ExecutableMode.INVOKE);
            ResolvableType payload = ResolvableType.forMethodParameter(handler, 0);
            binding.registerReflectionHints(hints.reflection(), payload.getType());
            if (payload.hasGenerics()) {
                binding.registerReflectionHints(
                        hints.reflection(), payload.getGeneric(0).getType());
            }
            if (handler.getReturnType() != void.class) {
                binding.registerReflectionHints(hints.reflection(), handler.getGenericReturnType());
            }
        }
    }
}
