package everyday;

/** A traffic light: what comes next, and how long it lasts. */
public enum Light {
    RED,
    AMBER,
    GREEN;

    static int seconds(Light light, boolean night) {
        switch (light) {
            case RED:
                return night ? 5 : 30;
            case GREEN:
                return 20;
            default:
                return 3;
        }
    }
}
