package tested;

/** A state machine: a door that can be locked only when it is closed. */
public enum Door {
    OPEN,
    CLOSED,
    LOCKED;

    /** What somebody does to it. */
    public enum Action {
        PUSH,
        PULL,
        TURN_KEY
    }

    public Door after(Action action) {
        switch (this) {
            case OPEN:
                return action == Action.PUSH ? CLOSED : OPEN;
            case CLOSED:
                switch (action) {
                    case PULL:
                        return OPEN;
                    case TURN_KEY:
                        return LOCKED;
                    default:
                        return CLOSED;
                }
            default:
                if (action != Action.TURN_KEY) {
                    throw new IllegalStateException("locked");
                }
                return CLOSED;
        }
    }
}
