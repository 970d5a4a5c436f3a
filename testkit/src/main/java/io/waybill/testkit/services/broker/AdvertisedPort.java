package io.waybill.testkit.services.broker;

import io.waybill.testkit.services.host.TcpProxy;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Kafka's answers with another port in them. A broker tells its clients where it is, and they would go there past any proxy;
 * an answer has host and port next to each other, so that the port can be exchanged without knowing what else is in there.
 */
record AdvertisedPort(int broker, int proxy) implements TcpProxy.Answers {

    private static final byte[] HOST = "127.0.0.1".getBytes(StandardCharsets.US_ASCII);

    @Override
    public void copy(InputStream from, OutputStream to) throws IOException {
        var in = new DataInputStream(from);
        var out = new DataOutputStream(to);
        try {
            while (true) {
                byte[] answer = new byte[in.readInt()];
                in.readFully(answer);
                exchange(ByteBuffer.wrap(answer));
                out.writeInt(answer.length);
                out.write(answer);
                out.flush();
            }
        } catch (EOFException e) {
            // The broker has closed the connection.
        }
    }

    private void exchange(ByteBuffer answer) {
        for (int at = 0; at + HOST.length + Integer.BYTES <= answer.limit(); at++) {
            if (isHost(answer, at) && answer.getInt(at + HOST.length) == broker) {
                answer.putInt(at + HOST.length, proxy);
            }
        }
    }

    private static boolean isHost(ByteBuffer answer, int at) {
        for (int i = 0; i < HOST.length; i++) {
            if (answer.get(at + i) != HOST[i]) {
                return false;
            }
        }
        return true;
    }
}
