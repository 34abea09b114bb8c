package instructions;

/**
 * Loads and stores of locals: the short forms 0 to 3, the ones with an index, and {@code wide}, which javac uses from the
 * 256th local and for increments beyond a byte.
 */
public final class Locals {
    private Locals() {
    }

    public static int ints(int a, int b, int c, int d, int e) {
        int x = a;
        a = e;
        e = d;
        d = c;
        c = b;
        b = x;
        return a + 2 * b + 3 * c + 4 * d + 5 * e;
    }

    public static long longs(long a, long b, long c) {
        long x = a;
        a = c;
        c = b;
        b = x;
        return a + 2 * b + 3 * c;
    }

    public static long longsAtOddPlaces(int i, long a, long b) {
        long x = a;
        a = b;
        b = x;
        return a - 2 * b + i;
    }

    public static float floats(float a, float b, float c, float d, float e) {
        float x = a;
        a = e;
        e = d;
        d = c;
        c = b;
        b = x;
        return a + 2 * b + 3 * c + 4 * d + 5 * e;
    }

    public static double doubles(double a, double b, double c) {
        double x = a;
        a = c;
        c = b;
        b = x;
        return a + 2 * b + 3 * c;
    }

    public static double doublesAtOddPlaces(int i, double a, double b) {
        double x = a;
        a = b;
        b = x;
        return a - 2 * b + i;
    }

    public static String references(String a, String b, String c, String d, String e) {
        String x = a;
        a = e;
        e = d;
        d = c;
        c = b;
        b = x;
        return a + b + c + d + e;
    }

    /** A local's place is used again for another type. */
    public static long reused(int a, long b) {
        long result = 0;
        {
            int x = a * 3;
            result += x;
        }
        {
            float x = a / 2f;
            result += (long) x;
        }
        {
            String x = a < 0 ? "negative" : "other";
            result += x.length();
        }
        {
            double x = b * 0.5;
            result -= (long) x;
        }
        return result;
    }

    public static int incrementsBeyondAByte(int a) {
        int x = a;
        x += 127;
        x += 128;
        x -= 128;
        x -= 129;
        x += 32_767;
        x -= 32_768;
        return x;
    }

    /** The locals from w0 on are beyond the 255th. */
    public static double wide(int i, long l, float f, double d, String s) {
        long p0 = 0, p1 = 1, p2 = 2, p3 = 3, p4 = 4;
        long p5 = 5, p6 = 6, p7 = 7, p8 = 8, p9 = 9;
        long p10 = 10, p11 = 11, p12 = 12, p13 = 13, p14 = 14;
        long p15 = 15, p16 = 16, p17 = 17, p18 = 18, p19 = 19;
        long p20 = 20, p21 = 21, p22 = 22, p23 = 23, p24 = 24;
        long p25 = 25, p26 = 26, p27 = 27, p28 = 28, p29 = 29;
        long p30 = 30, p31 = 31, p32 = 32, p33 = 33, p34 = 34;
        long p35 = 35, p36 = 36, p37 = 37, p38 = 38, p39 = 39;
        long p40 = 40, p41 = 41, p42 = 42, p43 = 43, p44 = 44;
        long p45 = 45, p46 = 46, p47 = 47, p48 = 48, p49 = 49;
        long p50 = 50, p51 = 51, p52 = 52, p53 = 53, p54 = 54;
        long p55 = 55, p56 = 56, p57 = 57, p58 = 58, p59 = 59;
        long p60 = 60, p61 = 61, p62 = 62, p63 = 63, p64 = 64;
        long p65 = 65, p66 = 66, p67 = 67, p68 = 68, p69 = 69;
        long p70 = 70, p71 = 71, p72 = 72, p73 = 73, p74 = 74;
        long p75 = 75, p76 = 76, p77 = 77, p78 = 78, p79 = 79;
        long p80 = 80, p81 = 81, p82 = 82, p83 = 83, p84 = 84;
        long p85 = 85, p86 = 86, p87 = 87, p88 = 88, p89 = 89;
        long p90 = 90, p91 = 91, p92 = 92, p93 = 93, p94 = 94;
        long p95 = 95, p96 = 96, p97 = 97, p98 = 98, p99 = 99;
        long p100 = 100, p101 = 101, p102 = 102, p103 = 103, p104 = 104;
        long p105 = 105, p106 = 106, p107 = 107, p108 = 108, p109 = 109;
        long p110 = 110, p111 = 111, p112 = 112, p113 = 113, p114 = 114;
        long p115 = 115, p116 = 116, p117 = 117, p118 = 118, p119 = 119;
        long p120 = 120, p121 = 121, p122 = 122, p123 = 123, p124 = 124;
        int w0 = i;
        long w1 = l;
        float w2 = f;
        double w3 = d;
        String w4 = s;
        w0 += 1;
        w0 += 1000;
        w1 *= 2;
        w2 += 0.5f;
        w3 -= w2;
        w4 = w4 == null ? "none" : w4;
        return w0 + w1 + w2 + w3 + w4.length() + p0 + p124;
    }
}
