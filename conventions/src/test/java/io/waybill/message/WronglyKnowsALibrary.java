package io.waybill.message;

import com.tngtech.archunit.core.domain.JavaClass;

/** Any library will do: the rule lists what core may know. */
final class WronglyKnowsALibrary {
    Class<?> driver = JavaClass.class;
}
