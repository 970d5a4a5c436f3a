package io.waybill.inbox;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The classes that the class file of a factory names. A factory method that declares an interface hides the class of its bean until it is
 * called: this shows what it may be without calling it. Only the constant pool is read (Java Virtual Machine Specification, 4.4).
 */
public final class ReferencedClasses {

    private static final int MAGIC_AND_VERSION = 8;

    private ReferencedClasses() {}

    /** Those that can be loaded without being initialized; none where there is no class file, as in a native image. */
    public static Stream<Class<?>> of(Class<?> factory) {
        String file = factory.getName().substring(factory.getName().lastIndexOf('.') + 1) + ".class";
        try (InputStream in = factory.getResourceAsStream(file)) {
            return in == null
                    ? Stream.empty()
                    : names(new DataInputStream(in)).stream().flatMap(name -> load(name, factory));
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    private static List<String> names(DataInputStream in) throws IOException {
        in.skipNBytes(MAGIC_AND_VERSION);
        int size = in.readUnsignedShort();
        Map<Integer, String> texts = new HashMap<>();
        List<Integer> classes = new ArrayList<>();
        for (int i = 1; i < size; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts.put(i, in.readUTF());
                case 7 -> classes.add(in.readUnsignedShort());
                // Long and double take two places.
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++;
                }
                case 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                default -> throw new IOException("unknown tag " + tag);
            }
        }
        return classes.stream()
                .map(index -> texts.getOrDefault(index, ""))
                .filter(name -> !name.startsWith("["))
                .map(name -> name.replace('/', '.'))
                .toList();
    }

    private static Stream<Class<?>> load(String name, Class<?> factory) {
        try {
            return Stream.of(Class.forName(name, false, factory.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) {
            return Stream.empty();
        }
    }
}
