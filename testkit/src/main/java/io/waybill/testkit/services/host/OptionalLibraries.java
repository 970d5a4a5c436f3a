package io.waybill.testkit.services.host;

/** Optional libraries: says which one to add, instead of a NoClassDefFoundError from somewhere inside. */
public final class OptionalLibraries {

    private OptionalLibraries() {}

    /** Call before the first touch of a class of the library. */
    public static void require(String service, String className, String coordinates) {
        try {
            Class.forName(className, false, OptionalLibraries.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalStateException(
                    service + " needs " + coordinates + " on the class path (" + className
                            + " was not found). Add it as a test dependency.",
                    e);
        }
    }
}
