import java.security.*;
import java.util.*;
import javax.crypto.*;
import javax.crypto.spec.*;

/** HMAC and AES with fixed keys; SecureRandom only by its properties. */
public class B01Crypto {
    public static void main(String[] args) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("key".getBytes(), "HmacSHA256"));
        System.out.println(HexFormat.of().formatHex(mac.doFinal("The quick brown fox jumps over the lazy dog".getBytes())));
        SecretKeySpec key = new SecretKeySpec("0123456789abcdef".getBytes(), "AES");
        Cipher c = Cipher.getInstance("AES/CBC/PKCS5Padding");
        c.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        byte[] out = c.doFinal("attack at dawn, quietly".getBytes());
        System.out.println(HexFormat.of().formatHex(out));
        c.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        System.out.println(new String(c.doFinal(out)));
        out[20] ^= 1;
        try {
            c.doFinal(out);
            System.out.println("no error");
        } catch (BadPaddingException e) {
            System.out.println("bad padding");
        }
        SecretKeyFactory f = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1");
        System.out.println(HexFormat.of().formatHex(f.generateSecret(new PBEKeySpec("password".toCharArray(), "salt".getBytes(), 100, 128)).getEncoded()));
        SecureRandom r = new SecureRandom();
        byte[] a = new byte[16], b = new byte[16];
        r.nextBytes(a);
        r.nextBytes(b);
        System.out.println(!Arrays.equals(a, b) + " " + (r.nextInt(10) < 10));
        SecureRandom s = SecureRandom.getInstance("SHA1PRNG");
        s.setSeed(42);
        System.out.println(s.nextInt() + " " + s.nextLong());
    }
}
