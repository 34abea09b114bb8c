package assembler;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes class files with the instructions that javac never writes.
 *
 * <pre>
 * java assembler.Assemble FILE.jasm OUT
 *
 * file        := "class" NAME "version" N { method }          version 49 or less: there are no stack maps, and jsr is allowed
 * method      := "method" NAMEDESCRIPTOR "stack" N "locals" N { line } "end"              always public and static
 * line        := LABEL ":" | "pad" N | "catch" LABEL LABEL LABEL CLASS | instruction      pad: N times nop; CLASS may be *
 * instruction := MNEMONIC { operand }
 * </pre>
 *
 * Operands are numbers, labels, classes, OWNER.NAME DESCRIPTOR of a member, and constants: 5, 5L, 5f, 5d, "text" without blanks, or
 * a class after an apostrophe. A tableswitch is {@code tableswitch LOW DEFAULT LABEL…}, a lookupswitch {@code lookupswitch DEFAULT
 * KEY LABEL …}. {@code wide} comes before its instruction in the same line. Comments begin with //.
 */
public final class Assemble {
    /** The instructions in the order of their numbers, from 0 to 201. */
    private static final String[] MNEMONICS = ("nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 "
        + "lconst_1 fconst_0 fconst_1 fconst_2 dconst_0 dconst_1 bipush sipush ldc ldc_w ldc2_w iload lload fload dload aload iload_0 "
        + "iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 dload_3 "
        + "aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload saload istore lstore fstore dstore astore "
        + "istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3 dstore_0 dstore_1 "
        + "dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 iastore lastore fastore dastore aastore bastore castore sastore pop pop2 "
        + "dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv "
        + "irem lrem frem drem ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc i2l i2f i2d l2i l2f "
        + "l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg ifeq ifne iflt ifge ifgt ifle if_icmpeq if_icmpne "
        + "if_icmplt if_icmpge if_icmpgt if_icmple if_acmpeq if_acmpne goto jsr ret tableswitch lookupswitch ireturn lreturn freturn "
        + "dreturn areturn return getstatic putstatic getfield putfield invokevirtual invokespecial invokestatic invokeinterface "
        + "invokedynamic new newarray anewarray arraylength athrow checkcast instanceof monitorenter monitorexit wide multianewarray "
        + "ifnull ifnonnull goto_w jsr_w").split(" ");
    private static final String[] ELEMENTS = {"boolean", "char", "float", "double", "byte", "short", "int", "long"};

    private final Map<String, Integer> numbers = new HashMap<>();
    private final ByteArrayOutputStream pool = new ByteArrayOutputStream();
    private final Map<String, Integer> poolIndices = new HashMap<>();
    private int poolCount = 1;
    private final ByteArrayOutputStream methods = new ByteArrayOutputStream();
    private int methodCount;

    private Assemble() {
        for (int i = 0; i < MNEMONICS.length; i++) {
            numbers.put(MNEMONICS[i], i);
        }
    }

    public static void main(String[] arguments) throws IOException {
        List<String[]> lines = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String text = line.replaceFirst("//.*", "").strip();
            if (!text.isEmpty()) {
                lines.add(text.split("\\s+"));
            }
        }
        String name = lines.get(0)[1];
        byte[] bytes = new Assemble().classFile(name, Integer.parseInt(lines.get(0)[3]), lines.subList(1, lines.size()));
        Path file = Path.of(arguments[1], name + ".class");
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
    }

    private byte[] classFile(String name, int version, List<String[]> lines) throws IOException {
        int self = classConstant(name);
        int parent = classConstant("java/lang/Object");
        for (int i = 0; i < lines.size(); i++) {
            int start = i;
            while (!lines.get(i)[0].equals("end")) {
                i++;
            }
            method(lines.get(start), lines.subList(start + 1, i));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xcafebabe);
        out.writeInt(version);
        out.writeShort(poolCount);
        out.write(pool.toByteArray());
        // public final super
        out.writeShort(0x31);
        out.writeShort(self);
        out.writeShort(parent);
        // no interfaces, no fields
        out.writeInt(0);
        out.writeShort(methodCount);
        out.write(methods.toByteArray());
        out.writeShort(0);
        return bytes.toByteArray();
    }

    // ---- constants ----

    @FunctionalInterface
    private interface Entry {
        void write(DataOutputStream out) throws IOException;
    }

    private int constant(String key, int size, Entry entry) throws IOException {
        Integer known = poolIndices.get(key);
        if (known != null) {
            return known;
        }
        entry.write(new DataOutputStream(pool));
        poolIndices.put(key, poolCount);
        poolCount += size;
        return poolCount - size;
    }

    private int utf8(String text) throws IOException {
        return constant("utf8 " + text, 1, out -> {
            out.writeByte(1);
            out.writeUTF(text);
        });
    }

    private int pair(int tag, int first, int second) throws IOException {
        return constant(tag + " " + first + " " + second, 1, out -> {
            out.writeByte(tag);
            out.writeShort(first);
            out.writeShort(second);
        });
    }

    private int single(int tag, int index) throws IOException {
        return constant(tag + " " + index, 1, out -> {
            out.writeByte(tag);
            out.writeShort(index);
        });
    }

    private int classConstant(String name) throws IOException {
        return single(7, utf8(name));
    }

    private int member(int tag, String qualified, String descriptor) throws IOException {
        int dot = qualified.lastIndexOf('.');
        int owner = classConstant(qualified.substring(0, dot));
        return pair(tag, owner, pair(12, utf8(qualified.substring(dot + 1)), utf8(descriptor)));
    }

    private int loadable(String text) throws IOException {
        String number = text.substring(0, text.length() - 1);
        if (text.startsWith("\"")) {
            return single(8, utf8(text.substring(1, text.length() - 1)));
        } else if (text.startsWith("'")) {
            return classConstant(text.substring(1));
        } else if (text.endsWith("L")) {
            return constant(text, 2, out -> {
                out.writeByte(5);
                out.writeLong(Long.parseLong(number));
            });
        } else if (text.endsWith("f")) {
            return constant(text, 1, out -> {
                out.writeByte(4);
                out.writeFloat(Float.parseFloat(number));
            });
        } else if (text.endsWith("d")) {
            return constant(text, 2, out -> {
                out.writeByte(6);
                out.writeDouble(Double.parseDouble(number));
            });
        }
        return constant(text, 1, out -> {
            out.writeByte(3);
            out.writeInt(Integer.parseInt(text));
        });
    }

    // ---- methods ----

    private void method(String[] head, List<String[]> lines) throws IOException {
        Map<String, Integer> labels = new HashMap<>();
        // The sizes of instructions do not depend on where the labels are: the first pass finds the labels.
        code(lines, labels, true);
        byte[] code = code(lines, labels, false);
        ByteArrayOutputStream handlers = new ByteArrayOutputStream();
        DataOutputStream table = new DataOutputStream(handlers);
        for (String[] line : lines) {
            if (line[0].equals("catch")) {
                for (int i = 1; i <= 3; i++) {
                    table.writeShort(labels.get(line[i]));
                }
                table.writeShort(line[4].equals("*") ? 0 : classConstant(line[4]));
            }
        }
        DataOutputStream out = new DataOutputStream(methods);
        // public static
        out.writeShort(9);
        int parenthesis = head[1].indexOf('(');
        out.writeShort(utf8(head[1].substring(0, parenthesis)));
        out.writeShort(utf8(head[1].substring(parenthesis)));
        out.writeShort(1);
        out.writeShort(utf8("Code"));
        out.writeInt(12 + code.length + handlers.size());
        out.writeShort(Integer.parseInt(head[3]));
        out.writeShort(Integer.parseInt(head[5]));
        out.writeInt(code.length);
        out.write(code);
        out.writeShort(handlers.size() / 8);
        out.write(handlers.toByteArray());
        out.writeShort(0);
        methodCount++;
    }

    private byte[] code(List<String[]> lines, Map<String, Integer> labels, boolean first) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (String[] line : lines) {
            if (line[0].endsWith(":")) {
                labels.put(line[0].substring(0, line[0].length() - 1), bytes.size());
            } else if (line[0].equals("pad")) {
                out.write(new byte[Integer.parseInt(line[1])]);
            } else if (!line[0].equals("catch")) {
                instruction(line, out, bytes.size(), labels, first);
            }
        }
        return bytes.toByteArray();
    }

    private void instruction(String[] line, DataOutputStream out, int at, Map<String, Integer> labels, boolean first) throws IOException {
        String mnemonic = line[0];
        if (!numbers.containsKey(mnemonic)) {
            throw new IllegalArgumentException("no instruction " + mnemonic);
        }
        out.writeByte(numbers.get(mnemonic));
        switch (mnemonic) {
            case "bipush", "ret", "iload", "lload", "fload", "dload", "aload", "istore", "lstore", "fstore", "dstore", "astore" ->
                out.writeByte(Integer.parseInt(line[1]));
            case "sipush" -> out.writeShort(Integer.parseInt(line[1]));
            case "ldc" -> out.writeByte(loadable(line[1]));
            case "ldc_w", "ldc2_w" -> out.writeShort(loadable(line[1]));
            case "iinc" -> {
                out.writeByte(Integer.parseInt(line[1]));
                out.writeByte(Integer.parseInt(line[2]));
            }
            case "wide" -> wide(line, out);
            case "goto_w", "jsr_w" -> out.writeInt(target(line[1], at, labels, first));
            case "tableswitch", "lookupswitch" -> lines(line, out, at, labels, first);
            case "getstatic", "putstatic", "getfield", "putfield" -> out.writeShort(member(9, line[1], line[2]));
            case "invokevirtual", "invokespecial", "invokestatic" -> out.writeShort(member(10, line[1], line[2]));
            case "new", "anewarray", "checkcast", "instanceof" -> out.writeShort(classConstant(line[1]));
            case "newarray" -> out.writeByte(4 + List.of(ELEMENTS).indexOf(line[1]));
            case "multianewarray" -> {
                out.writeShort(classConstant(line[1]));
                out.writeByte(Integer.parseInt(line[2]));
            }
            default -> {
                if (mnemonic.startsWith("if") || mnemonic.equals("goto") || mnemonic.equals("jsr")) {
                    out.writeShort(target(line[1], at, labels, first));
                }
            }
        }
    }

    private void wide(String[] line, DataOutputStream out) throws IOException {
        out.writeByte(numbers.get(line[1]));
        out.writeShort(Integer.parseInt(line[2]));
        if (line[1].equals("iinc")) {
            out.writeShort(Integer.parseInt(line[3]));
        }
    }

    private static int target(String label, int at, Map<String, Integer> labels, boolean first) {
        if (!first && !labels.containsKey(label)) {
            throw new IllegalArgumentException("no label " + label);
        }
        return first ? 0 : labels.get(label) - at;
    }

    private static void lines(String[] line, DataOutputStream out, int at, Map<String, Integer> labels, boolean first) throws IOException {
        out.write(new byte[3 - at % 4]);
        if (line[0].equals("tableswitch")) {
            int low = Integer.parseInt(line[1]);
            out.writeInt(target(line[2], at, labels, first));
            out.writeInt(low);
            out.writeInt(low + line.length - 4);
            for (int i = 3; i < line.length; i++) {
                out.writeInt(target(line[i], at, labels, first));
            }
        } else {
            out.writeInt(target(line[1], at, labels, first));
            out.writeInt((line.length - 2) / 2);
            for (int i = 2; i < line.length; i += 2) {
                out.writeInt(Integer.parseInt(line[i]));
                out.writeInt(target(line[i + 1], at, labels, first));
            }
        }
    }
}
