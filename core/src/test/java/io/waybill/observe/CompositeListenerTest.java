package io.waybill.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.message.Envelope;
import io.waybill.process.ProcessListener;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CompositeListenerTest {

    private final List<String> notified = new ArrayList<>();

    @Test
    void every_notification_reaches_both_in_order() throws ReflectiveOperationException {
        all(OutboxListener.class, OutboxListener::and);
        all(RelayListener.class, RelayListener::and);
        all(InboxListener.class, InboxListener::and);
        all(ProcessListener.class, ProcessListener::and);
    }

    private <T> void all(Class<T> kind, BinaryOperator<T> and) throws ReflectiveOperationException {
        T both = and.apply(recorder(kind, "first"), recorder(kind, "second"));
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
    void what_goes_around_a_call_is_what_both_put_around_it() {
        RelayListener both = around("outer").and(around("inner"));

        ObservedCall call = both.publishing(List.of());
        String result = call.run(() -> {
            notified.add("call");
            return "done";
        });
        call.end("");

        assertThat(result).isEqualTo("done");
        assertThat(notified).containsExactly("outer", "inner", "call", "end inner", "end outer");
        assertThat(around("one").and(RelayListener.NONE).publishing(List.of())).isNotEqualTo(ObservedCall.NONE);
        assertThat(listener("a").and(listener("b")).publishing(List.of())).isEqualTo(ObservedCall.NONE);
    }

    @Test
    void a_message_takes_along_what_both_give_it() {
        OutboxListener one = giving(Map.of("traceparent", "1", "a", "1"));
        OutboxListener other = giving(Map.of("traceparent", "2", "b", "2"));

        assertThat(OutboxListener.NONE.and(one).and(other).context())
                .isEqualTo(Map.of("traceparent", "1", "a", "1", "b", "2"));
    }

    private static OutboxListener giving(Map<String, String> context) {
        return new OutboxListener() {
            @Override
            public Map<String, String> context() {
                return context;
            }
        };
    }

    private RelayListener around(String name) {
        return new RelayListener() {
            @Override
            public ObservedCall publishing(List<Envelope> messages) {
                return new ObservedCall() {
                    @Override
                    public <T, E extends Exception> T run(Part<T, E> part) throws E {
                        notified.add(name);
                        return part.run();
                    }

                    @Override
                    public void end(String error) {
                        notified.add("end " + name);
                    }
                };
            }
        };
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

    /** Notes every notification, and puts itself together with others as the interface does. */
    private <T> T recorder(Class<T> kind, String name) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(), new Class<?>[] {kind}, (proxy, method, arguments) -> {
                    if (method.getReturnType() != void.class) {
                        return InvocationHandler.invokeDefault(proxy, method, arguments);
                    }
                    notified.add(name + " " + method.getName());
                    return null;
                }));
    }

    private static @Nullable Object any(Class<?> type) {
        return type == int.class ? 0 : type == boolean.class ? false : type == List.class ? List.of() : null;
    }
}
