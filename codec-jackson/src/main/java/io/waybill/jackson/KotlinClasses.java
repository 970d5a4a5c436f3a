package io.waybill.jackson;

import io.waybill.WaybillException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.ServiceLoader;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.module.SimpleModule;

/**
 * Refuses classes of Kotlin that cannot be read without Jackson's module for them. One whose parameters all have defaults would be made of
 * these, whatever the payload says.
 */
final class KotlinClasses extends ValueDeserializerModifier {

    private static final long serialVersionUID = 1;
    private static final String MODULE = "tools.jackson.module.kotlin.KotlinModule";
    private static final String METADATA = "kotlin.Metadata";

    private KotlinClasses() {}

    /** Jackson's own where it is on the class path. No other module is taken: it might change what payloads look like. */
    static JacksonModule module() {
        return ServiceLoader.load(JacksonModule.class).stream()
                .filter(module -> module.type().getName().equals(MODULE))
                .map(ServiceLoader.Provider::get)
                .findFirst()
                .orElseGet(() -> new SimpleModule(METADATA).setDeserializerModifier(new KotlinClasses()));
    }

    @Override
    public BeanDeserializerBuilder updateBuilder(
            DeserializationConfig config, BeanDescription.Supplier description, BeanDeserializerBuilder builder) {
        Class<?> type = description.getBeanClass();
        if (isKotlin(type) && !builder.getValueInstantiator().canCreateFromObjectWith() && losesFields(type, builder)) {
            throw new WaybillException(type.getName() + " is a class of Kotlin, whose parameters Jackson does not know."
                    + " Add tools.jackson.module:jackson-module-kotlin to the class path.");
        }
        return builder;
    }

    private static boolean isKotlin(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().equals(METADATA));
    }

    private static boolean losesFields(Class<?> type, BeanDeserializerBuilder builder) {
        var settable = new ArrayList<String>();
        builder.getProperties().forEachRemaining(property -> settable.add(property.getName()));
        long fields = Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .count();
        return settable.size() < fields;
    }
}
