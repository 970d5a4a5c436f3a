package io.waybill.testkit.services;

/** Optional libraries: says which one to add, instead of a NoClassDefFoundError from somewhere inside. */
final class Libraries {

    private Libraries() {}

    /** Call before the first touch of a class of the library. */
    static void require(String service, String className, String coordinates) {
        try {
            Class.forName(className, false, Libraries.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalStateException(
                    service + " needs " + coordinates + " on the class path (" + className
                            + " was not found). Add it as a test dependency.",
                    e);
        }
    }
}
