package dev.tidemark.backup;

/** No copy is made: there is one of that name already, or none can be made at the moment. */
public final class BackupRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean taken;

    BackupRefusedException(String why, boolean taken) {
        super(why);
        this.taken = taken;
    }

    /** Whether the name is taken; otherwise trying again later helps. */
    public boolean isNameTaken() {
        return taken;
    }
}
