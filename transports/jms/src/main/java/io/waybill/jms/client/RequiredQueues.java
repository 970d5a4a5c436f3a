package io.waybill.jms.client;

import io.waybill.WaybillException;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Looks at start whether all queues are there, instead of finding out one by one. */
public final class RequiredQueues {

    private RequiredQueues() {}

    public static void check(JmsEndpoint endpoint, List<String> queues) {
        List<String> missing;
        try (JmsLink link = endpoint.connect()) {
            missing = missing(link, queues);
        } catch (JMSException | RuntimeException e) {
            throw new WaybillException("The required queues cannot be checked. " + endpoint.whyNotConnected(e), e);
        }
        if (!missing.isEmpty()) {
            throw new WaybillException(endpoint.name() + " has no "
                    + missing.stream().map(queue -> "'" + queue + "'").collect(Collectors.joining(", "))
                    + ". Define the missing queues:\n"
                    + missing.stream().map(endpoint.product()::howToDefine).collect(Collectors.joining("\n")));
        }
        queues.forEach(endpoint::warnOfUnlimitedBackout);
    }

    private static List<String> missing(JmsLink link, List<String> queues) throws JMSException {
        var missing = new ArrayList<String>();
        for (String queue : queues) {
            try {
                link.producer(queue).close();
            } catch (jakarta.jms.JMSSecurityException e) {
                // It is there, and not ours to send to: a program that only receives from it is fine.
            } catch (JMSException e) {
                if (JmsFault.of(e) != JmsFault.MISCONFIGURED) {
                    throw e;
                }
                missing.add(queue);
            }
        }
        return missing;
    }
}
