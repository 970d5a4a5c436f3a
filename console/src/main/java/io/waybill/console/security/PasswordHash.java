package io.waybill.console.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * What is stored instead of a password or a token: {@code pbkdf2-sha256$ITERATIONS$SALT$HASH} of a password, {@code sha256$HEX} of a
 * token, which is long and random and needs no salt.
 */
public final class PasswordHash {

    private static final int ITERATIONS = 210_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;
    private static final Pattern PASSWORD =
            Pattern.compile("pbkdf2-sha256\\$([0-9]{4,7})\\$([A-Za-z0-9+/=]+)\\$([A-Za-z0-9+/=]+)");
    private static final Pattern TOKEN = Pattern.compile("sha256\\$([0-9a-f]{64})");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String text;

    private PasswordHash(String text) {
        this.text = text;
    }

    /** As it was printed by {@link #toString}. */
    public static PasswordHash parse(String text) {
        if (!PASSWORD.matcher(text).matches() && !TOKEN.matcher(text).matches()) {
            throw new WaybillException(
                    "This is not the hash of a password or token. 'waybill console hash' prints one.");
        }
        return new PasswordHash(text);
    }

    public static PasswordHash ofPassword(String password) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        var base64 = Base64.getEncoder();
        return new PasswordHash("pbkdf2-sha256$" + ITERATIONS + "$" + base64.encodeToString(salt) + "$"
                + base64.encodeToString(pbkdf2(password, salt, ITERATIONS)));
    }

    public static PasswordHash ofToken(String token) {
        return new PasswordHash("sha256$" + HexFormat.of().formatHex(sha256(token)));
    }

    /** Something that nobody guesses. */
    public static String randomToken() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    boolean isToken() {
        return TOKEN.matcher(text).matches();
    }

    boolean matches(String secret) {
        Matcher token = TOKEN.matcher(text);
        if (token.matches()) {
            return MessageDigest.isEqual(HexFormat.of().parseHex(token.group(1)), sha256(secret));
        }
        Matcher password = PASSWORD.matcher(text);
        if (!password.matches()) {
            return false;
        }
        byte[] salt = Base64.getDecoder().decode(password.group(2));
        byte[] expected = Base64.getDecoder().decode(password.group(3));
        return MessageDigest.isEqual(expected, pbkdf2(secret, salt, Integer.parseInt(password.group(1))));
    }

    private static byte[] pbkdf2(String password, byte[] salt, int iterations) {
        try {
            var keys = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
            return keys.generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new WaybillException("This JVM cannot hash passwords: " + e.getMessage(), e);
        }
    }

    private static byte[] sha256(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new WaybillException("This JVM cannot hash tokens: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
