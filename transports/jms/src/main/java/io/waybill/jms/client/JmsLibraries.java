package io.waybill.jms.client;

import io.waybill.WaybillException;

/** Clients of brokers are optional: says which one to add, instead of a NoClassDefFoundError from somewhere inside. */
public final class JmsLibraries {

    private JmsLibraries() {}

    /** Call it before the first touch of a class of the library, and of one of ours that names such a class anywhere. */
    public static void require(String broker, String className, String coordinates) {
        try {
            Class.forName(className, false, JmsLibraries.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new WaybillException(
                    broker + " needs " + coordinates + " on the class path (" + className + " was not found).", e);
        }
    }
}
