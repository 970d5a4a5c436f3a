package io.waybill.observe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.process.ProcessListener;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CompositeListenerTest {

    private final List<String> notified = new ArrayList<>();

    @Test
    void every_notification_reaches_both_in_order() throws ReflectiveOperationException {
        for (Class<?> kind : List.of(RelayListener.class, InboxListener.class, ProcessListener.class)) {
            all(kind, recorder(kind, "first"), recorder(kind, "second"));
        }
    }

    @Test
    void native_images_know_every_kind() throws IOException {
        try (InputStream config =
                getClass().getResourceAsStream("/META-INF/native-image/io.waybill/waybill-core/proxy-config.json")) {
            assertThat(new String(config.readAllBytes(), UTF_8))
                    .contains(InboxListener.class.getName())
                    .contains(RelayListener.class.getName())
                    .contains(ProcessListener.class.getName());
        }
    }

    private <T> void all(Class<T> kind, Object first, Object second) throws ReflectiveOperationException {
        T both = CompositeListener.of(kind, kind.cast(first), kind.cast(second));
        for (Method method : kind.getMethods()) {
            if (method.getReturnType() == void.class) {
                notified.clear();
                method.invoke(
                        both,
                        Stream.of(method.getParameterTypes())
                                .map(CompositeListenerTest::any)
                                .toArray());
                assertThat(notified).containsExactly("first " + method.getName(), "second " + method.getName());
            }
        }
    }

    @Test
    void three_are_notified_once_each_and_nobody_is_left_out_for_none() {
        RelayListener three = RelayListener.NONE
                .and(listener("first"))
                .and(listener("second"))
                .and(listener("third"));

        three.leasesChanged(1);

        assertThat(notified).containsExactly("first 1", "second 1", "third 1");
        assertThat(List.of(three)).contains(three).hasSameHashCodeAs(List.of(three));
    }

    @Test
    void an_exception_is_the_listeners_own() {
        var broken = new RelayListener() {
            @Override
            public void leasesLost(int lost) {
                throw new IllegalStateException("broken");
            }
        };

        assertThatThrownBy(() -> broken.and(listener("second")).leasesLost(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
    }

    private RelayListener listener(String name) {
        return new RelayListener() {
            @Override
            public void leasesChanged(int owned) {
                notified.add(name + " " + owned);
            }
        };
    }

    private Object recorder(Class<?> kind, String name) {
        return Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, (proxy, method, arguments) -> {
            notified.add(name + " " + method.getName());
            return null;
        });
    }

    private static @Nullable Object any(Class<?> type) {
        return type == int.class ? 0 : type == boolean.class ? false : type == List.class ? List.of() : null;
    }
}
