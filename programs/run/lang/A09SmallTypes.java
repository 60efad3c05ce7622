/** byte, short, char and boolean in locals, fields, arrays and compound assignments. */
public class A09SmallTypes {
    byte b = 127;
    short s = 32767;
    char c = 65535;
    boolean z;
    static byte sb = -128;
    static short ss = -32768;
    static char sc = 0;
    static boolean sz = true;

    public static void main(String[] args) {
        A09SmallTypes o = new A09SmallTypes();
        o.b++;
        o.s++;
        o.c++;
        o.z ^= true;
        sb--;
        ss--;
        sc--;
        sz &= false;
        System.out.println(o.b + " " + o.s + " " + (int) o.c + " " + o.z);
        System.out.println(sb + " " + ss + " " + (int) sc + " " + sz);
        byte[] bytes = {1, -1, (byte) 200};
        short[] shorts = {1, -1, (short) 40000};
        char[] chars = {'a', '\uffff', (char) -2};
        boolean[] flags = {true, false, !true};
        bytes[0] += 300;
        shorts[0] -= 40000;
        chars[0] *= 2;
        flags[1] |= true;
        for (byte x : bytes) System.out.print(x + " ");
        for (short x : shorts) System.out.print(x + " ");
        for (char x : chars) System.out.print((int) x + " ");
        for (boolean x : flags) System.out.print(x + " ");
        System.out.println();
        byte local = (byte) 128;
        local -= 1;
        System.out.println(local);
        char ch = 'a';
        ch += 1;
        ch++;
        System.out.println(ch);
        System.out.println(ch + 1);
        System.out.println((char) (ch + 1));
    }
}
