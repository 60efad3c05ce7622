package heddle.replay;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Changes class files of the JDK without changing their shape: calls are redirected in place, and
 * methods get a call in front that is exactly four bytes long, so that no jump and no table needs more
 * than a shift.
 */
final class Rewire {
    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int METHOD_REF = 10;
    private static final int INTERFACE_METHOD_REF = 11;
    private static final int NAME_AND_TYPE = 12;

    private static final int INVOKEVIRTUAL = 0xb6;
    private static final int INVOKESPECIAL = 0xb7;
    private static final int INVOKESTATIC = 0xb8;

    /** Length of the code in front: a load or nop, invokestatic. */
    private static final int FRONT = 4;

    private final byte[] file;
    /** Where the tag of each constant is. */
    private final int[] constants;
    private final int poolEnd;
    private final ByteArrayOutputStream added = new ByteArrayOutputStream();
    private int count;
    private boolean changed;

    /** Calls to redirect: "owner.name desc" to the static method of {@link Hook}, "name desc". */
    private final Map<String, String> calls;
    /** Methods that get a call in front: "name desc" to the method of {@link Hook}, which takes what is in local variable 0, or nothing. */
    private final Map<String, String> fronts;
    /** New constants by what they stand for. */
    private final Map<String, Integer> known = new HashMap<String, Integer>();

    Rewire(byte[] file, Map<String, String> calls, Map<String, String> fronts) {
        this.file = file;
        this.calls = calls;
        this.fronts = fronts;
        count = u2(8);
        constants = new int[count];
        int at = 10;
        for (int i = 1; i < count; i++) {
            constants[i] = at;
            switch (file[at]) {
                case UTF8:
                    at += 3 + u2(at + 1);
                    break;
                case 3:
                case 4:
                case 9:
                case METHOD_REF:
                case INTERFACE_METHOD_REF:
                case NAME_AND_TYPE:
                case 17:
                case 18:
                    at += 5;
                    break;
                case 5:
                case 6:
                    at += 9;
                    i++;
                    break;
                case CLASS:
                case 8:
                case 16:
                case 19:
                case 20:
                    at += 3;
                    break;
                case 15:
                    at += 4;
                    break;
                default:
                    throw new IllegalStateException("constant of kind " + file[at]);
            }
        }
        poolEnd = at;
    }

    String superName() {
        int index = u2(poolEnd + 4);
        return index == 0 ? "" : className(index);
    }

    /** The new file, or null if nothing had to be changed. */
    byte[] result() throws IOException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(members);
        int at = poolEnd + 6;
        at += 2 + 2 * u2(at);
        out.write(file, poolEnd, at - poolEnd);
        at = fields(at, out);
        at = methods(at, out);
        out.write(file, at, file.length - at);
        if (!changed) {
            return null;
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(whole);
        data.write(file, 0, 8);
        data.writeShort(count);
        data.write(file, 10, poolEnd - 10);
        added.writeTo(data);
        members.writeTo(data);
        return whole.toByteArray();
    }

    private int fields(int at, DataOutputStream out) throws IOException {
        int start = at;
        int fields = u2(at);
        at += 2;
        for (int i = 0; i < fields; i++) {
            at = attributesEnd(at + 6);
        }
        out.write(file, start, at - start);
        return at;
    }

    private int methods(int at, DataOutputStream out) throws IOException {
        int methods = u2(at);
        out.writeShort(methods);
        at += 2;
        for (int i = 0; i < methods; i++) {
            String name = utf8(u2(at + 2)) + " " + utf8(u2(at + 4));
            out.write(file, at, 8);
            int attributes = u2(at + 6);
            at += 8;
            for (int j = 0; j < attributes; j++) {
                int end = at + 6 + u4(at + 2);
                if (utf8(u2(at)).equals("Code")) {
                    byte[] code = code(at + 6, fronts.get(name));
                    out.writeShort(u2(at));
                    out.writeInt(code.length);
                    out.write(code);
                } else {
                    out.write(file, at, end - at);
                }
                at = end;
            }
        }
        return at;
    }

    private int attributesEnd(int at) {
        int attributes = u2(at);
        at += 2;
        for (int i = 0; i < attributes; i++) {
            at += 6 + u4(at + 2);
        }
        return at;
    }

    private byte[] code(int at, String front) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        int shift = front == null ? 0 : FRONT;
        out.writeShort(Math.max(u2(at), 1));
        out.writeShort(u2(at + 2));
        int length = u4(at + 4);
        out.writeInt(length + shift);
        if (front != null) {
            // aload_0, iload_0 or nothing.
            out.writeByte(front.endsWith("(I)V") ? 0x1a : front.endsWith("()V") ? 0x00 : 0x2a);
            out.writeByte(INVOKESTATIC);
            out.writeShort(hook(front));
            changed = true;
        }
        byte[] code = new byte[length];
        System.arraycopy(file, at + 8, code, 0, length);
        redirect(code);
        out.write(code);
        at += 8 + length;
        int handlers = u2(at);
        out.writeShort(handlers);
        at += 2;
        for (int i = 0; i < handlers; i++, at += 8) {
            out.writeShort(u2(at) + shift);
            out.writeShort(u2(at + 2) + shift);
            out.writeShort(u2(at + 4) + shift);
            out.writeShort(u2(at + 6));
        }
        int attributes = u2(at);
        out.writeShort(attributes);
        at += 2;
        for (int i = 0; i < attributes; i++) {
            int end = at + 6 + u4(at + 2);
            attribute(at, end, shift, out);
            at = end;
        }
        return bytes.toByteArray();
    }

    /** An attribute of a method's code, with its places shifted. */
    private void attribute(int at, int end, int shift, DataOutputStream out) throws IOException {
        String name = utf8(u2(at));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(bytes);
        int start = at + 6;
        if (shift != 0 && name.equals("StackMapTable") && u2(start) != 0) {
            body.writeShort(u2(start));
            frame(start + 2, end, shift, body);
        } else if (shift != 0 && name.equals("LineNumberTable")) {
            body.writeShort(u2(start));
            for (int entry = start + 2; entry < end; entry += 4) {
                body.writeShort(u2(entry) == 0 ? 0 : u2(entry) + shift);
                body.writeShort(u2(entry + 2));
            }
        } else if (shift != 0 && name.startsWith("LocalVariable")) {
            body.writeShort(u2(start));
            for (int entry = start + 2; entry < end; entry += 10) {
                boolean first = u2(entry) == 0;
                body.writeShort(first ? 0 : u2(entry) + shift);
                body.writeShort(u2(entry + 2) + (first ? shift : 0));
                body.write(file, entry + 4, 6);
            }
        } else {
            body.write(file, start, end - start);
        }
        out.writeShort(u2(at));
        out.writeInt(bytes.size());
        bytes.writeTo(out);
    }

    /** The first frame of a stack map; the others follow it, each relative to the one before. */
    private void frame(int at, int end, int shift, DataOutputStream out) throws IOException {
        int kind = file[at] & 0xff;
        if (kind < 128) {
            int delta = (kind & 63) + shift;
            if (delta < 64) {
                out.writeByte(kind + shift);
            } else {
                out.writeByte(kind < 64 ? 251 : 247);
                out.writeShort(delta);
            }
            out.write(file, at + 1, end - at - 1);
        } else {
            out.writeByte(kind);
            out.writeShort(u2(at + 1) + shift);
            out.write(file, at + 3, end - at - 3);
        }
    }

    private void redirect(byte[] code) throws IOException {
        for (int pc = 0; pc < code.length; pc += length(code, pc)) {
            int opcode = code[pc] & 0xff;
            if (opcode < INVOKEVIRTUAL || opcode > INVOKESTATIC) {
                continue;
            }
            int index = (code[pc + 1] & 0xff) << 8 | code[pc + 2] & 0xff;
            int at = constants[index];
            if (file[at] != METHOD_REF) {
                continue;
            }
            int nat = constants[u2(at + 3)];
            String named = utf8(u2(nat + 1)) + " " + utf8(u2(nat + 3));
            String to = calls.get(className(u2(at + 1)) + "." + named);
            if (to == null) {
                to = opcode == INVOKESTATIC ? null : calls.get("*." + named);
            }
            if (to != null) {
                int hook = hook(to);
                code[pc] = (byte) INVOKESTATIC;
                code[pc + 1] = (byte) (hook >> 8);
                code[pc + 2] = (byte) hook;
                changed = true;
            }
        }
    }

    /** Lengths of instructions: a digit per opcode, 0 for those that vary. */
    private static final String LENGTHS = "1111111111111111"
            + "2323322222111111"
            + "1111111111111111"
            + "1111112222211111"
            + "1111111111111111"
            + "1111111111111111"
            + "1111111111111111"
            + "1111111111111111"
            + "1111311111111111"
            + "1111111113333333"
            + "3333333332001111"
            + "1133333335532311"
            + "3311043355";

    private int length(byte[] code, int pc) {
        int opcode = code[pc] & 0xff;
        int length = LENGTHS.charAt(opcode) - '0';
        if (length != 0) {
            return length;
        }
        int aligned = pc + 4 & ~3;
        switch (opcode) {
            case 0xaa:
                return aligned + 12 + 4 * (s4(code, aligned + 8) - s4(code, aligned + 4) + 1) - pc;
            case 0xab:
                return aligned + 8 + 8 * s4(code, aligned + 4) - pc;
            case 0xc4:
                return (code[pc + 1] & 0xff) == 0x84 ? 6 : 4;
            default:
                throw new IllegalStateException("opcode " + opcode);
        }
    }

    /** The constant for a static method of {@link Hook}, "name desc". */
    private int hook(String method) throws IOException {
        int blank = method.indexOf(' ');
        int owner = constant("class", CLASS, utf8Constant("heddle/replay/Hook"), -1);
        int name = utf8Constant(method.substring(0, blank));
        int desc = utf8Constant(method.substring(blank + 1));
        int nat = constant("nat " + method, NAME_AND_TYPE, name, desc);
        return constant("method " + method, METHOD_REF, owner, nat);
    }

    private int utf8Constant(String text) throws IOException {
        Integer index = known.get("text " + text);
        if (index == null) {
            DataOutputStream out = new DataOutputStream(added);
            out.writeByte(UTF8);
            out.writeUTF(text);
            index = count++;
            known.put("text " + text, index);
        }
        return index;
    }

    private int constant(String key, int tag, int first, int second) throws IOException {
        Integer index = known.get(key);
        if (index == null) {
            DataOutputStream out = new DataOutputStream(added);
            out.writeByte(tag);
            out.writeShort(first);
            if (second >= 0) {
                out.writeShort(second);
            }
            index = count++;
            known.put(key, index);
        }
        return index;
    }

    private String className(int index) {
        return utf8(u2(constants[index] + 1));
    }

    /** Names in the JDK are ASCII. */
    private String utf8(int index) {
        int at = constants[index];
        int length = u2(at + 1);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) (file[at + 3 + i] & 0xff));
        }
        return text.toString();
    }

    private int u2(int at) {
        return (file[at] & 0xff) << 8 | file[at + 1] & 0xff;
    }

    private int u4(int at) {
        return s4(file, at);
    }

    private static int s4(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | bytes[at + 3] & 0xff;
    }
}
