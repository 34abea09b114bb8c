package features;

/** Nested try, catch and finally together with loops, returns and calls. */
public final class TryFinally {
    private TryFinally() {
    }

    private static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int at;

        Stop(int at) {
            super("stop at " + at, null, false, false);
            this.at = at;
        }
    }

    private static int check(int x) {
        if (x % 3 == 0) {
            throw new Stop(x);
        }
        return x;
    }

    public static String trace(int a) {
        StringBuilder log = new StringBuilder();
        try {
            log.append("a");
            try {
                log.append(check(a));
            } finally {
                log.append("b");
                try {
                    log.append(check(a + 1));
                } catch (Stop e) {
                    log.append("!").append(e.at);
                } finally {
                    log.append("c");
                }
            }
            log.append("d");
        } catch (Stop e) {
            log.append("?").append(e.getMessage());
        } finally {
            log.append("e");
        }
        return log.toString();
    }

    public static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            try {
                if (i == n) {
                    break;
                }
                sum += check(i);
            } catch (Stop e) {
                sum -= e.at;
                continue;
            } finally {
                sum += 100;
            }
            sum += 1000;
        }
        return sum;
    }

    public static int labelled(int a) {
        int count = 0;
        outer:
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                try {
                    if (i * j == (a & 7)) {
                        break outer;
                    }
                    if (j > i) {
                        continue outer;
                    }
                    count++;
                } finally {
                    count += 10;
                }
            }
        }
        return count;
    }

    public static int returnInBoth(int a) {
        int x = a;
        try {
            x = 10 / a;
            return x;
        } catch (ArithmeticException e) {
            x = -1;
            return x;
        } finally {
            x = 1000;
        }
    }

    public static String suppressed(int a) {
        try (AutoCloseable first = () -> check(a); AutoCloseable second = () -> check(a + 1)) {
            return "body " + check(a + 2) + (first != second);
        } catch (Exception e) {
            return e.getMessage() + e.getSuppressed().length;
        }
    }

    public static int depth(int a) {
        try {
            return descend(a & 7);
        } catch (Stop e) {
            return -e.at;
        }
    }

    private static int descend(int n) {
        try {
            return n == 0 ? 0 : descend(n - 1) + check(n);
        } catch (Stop e) {
            if (n == 6) {
                throw e;
            }
            return e.at * 10;
        }
    }

    /** The handler's own exception hides the first one. */
    public static String chained(int a) {
        try {
            try {
                check(a);
                return "fine";
            } catch (Stop e) {
                throw new IllegalStateException("wrapped", e);
            }
        } catch (IllegalStateException e) {
            return e.getMessage() + " by " + e.getCause().getMessage();
        }
    }
}
