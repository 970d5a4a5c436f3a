package io.waybill.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets an endpoint shares with us, and the signature they give: Standard Webhooks, version 1. Several secrets sign side
 * by side, so that a receiver may change from one to the next when it likes.
 */
final class Secrets {

    private static final String PREFIX = "whsec_";
    private static final String HMAC = "HmacSHA256";

    /** What Standard Webhooks asks for. */
    private static final int MIN_BYTES = 24;

    private static final String ADVICE = "A secret is at least " + MIN_BYTES
            + " random bytes in Base64, after 'whsec_': echo whsec_$(openssl rand -base64 32)";

    private final List<SecretKeySpec> keys;

    private Secrets(List<SecretKeySpec> keys) {
        this.keys = keys;
    }

    /** Checks them, and never shows one in an error. */
    static Secrets of(String endpoint, Collection<String> secrets) {
        if (secrets.isEmpty()) {
            throw new WaybillException(endpoint
                    + " has no secret, and its receiver could not tell our messages from anybody's. " + ADVICE);
        }
        return new Secrets(secrets.stream().map(secret -> key(endpoint, secret)).toList());
    }

    private static SecretKeySpec key(String endpoint, String secret) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret);
        } catch (IllegalArgumentException e) {
            // The cause would show a part of the secret.
            throw new WaybillException("A secret of " + endpoint + " is not Base64. " + ADVICE);
        }
        if (bytes.length < MIN_BYTES) {
            throw new WaybillException("A secret of " + endpoint + " has " + bytes.length + " bytes. " + ADVICE);
        }
        return new SecretKeySpec(bytes, HMAC);
    }

    /** One signature per secret, separated by spaces. */
    String sign(String id, long timestamp, byte[] body) {
        byte[] head = (id + "." + timestamp + ".").getBytes(UTF_8);
        return keys.stream().map(key -> "v1," + sign(key, head, body)).collect(Collectors.joining(" "));
    }

    private static String sign(SecretKeySpec key, byte[] head, byte[] body) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(head);
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has " + HMAC + ".", e);
        }
    }
}
