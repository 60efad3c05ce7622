import java.nio.charset.StandardCharsets;
import java.security.*;
import java.util.*;

/** Message digests, HMAC, Base64, HexFormat. */
public class A01Digests {
    public static void main(String[] args) throws Exception {
        byte[] abc = "abc".getBytes(StandardCharsets.UTF_8);
        for (String a : new String[] {"MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/256", "SHA3-256", "MD2"}) {
            MessageDigest d = MessageDigest.getInstance(a);
            HexFormat hex = HexFormat.of();
            System.out.println(a + " " + hex.formatHex(d.digest(abc)) + " " + d.getDigestLength());
            for (int i = 0; i < 1000; i++) d.update((byte) i);
            MessageDigest copy = (MessageDigest) d.clone();
            System.out.println(hex.formatHex(d.digest()).substring(0, 16) + MessageDigest.isEqual(copy.digest(), new byte[3]));
        }
        try {
            MessageDigest.getInstance("NOPE");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) all[i] = (byte) i;
        String b64 = Base64.getEncoder().encodeToString(all);
        System.out.println(b64 + " " + Arrays.equals(all, Base64.getDecoder().decode(b64)));
        System.out.println(Base64.getUrlEncoder().withoutPadding().encodeToString(all).substring(300) + Base64.getMimeEncoder(20, new byte[] {'|'}).encodeToString(abc.clone()) + Base64.getMimeDecoder().decode("YW Jj\n").length);
        for (String s : new String[] {"", "YQ==", "YQ", "YWI=", "Y", "Y*==", "YQ=x"}) {
            try {
                System.out.println(new String(Base64.getDecoder().decode(s)));
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(HexFormat.ofDelimiter(":").withUpperCase().formatHex(abc) + Arrays.toString(HexFormat.of().parseHex("00ff10")));
    }
}
